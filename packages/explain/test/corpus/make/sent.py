"""Prints the deliveries of the payment service from which the faults are made, one JSON object a line.

The signer is independent of the packages: it is Python's hmac, and reads as the specification does.
"""
import base64
import gzip
import hashlib
import hmac
import json

SECRET = "wsk_live/9fK2+QmX7pLr4Zt8BnVc3Hd6=="
API_KEY = "acct_live_4f8c1e7b92d05a63"
T = "1743090080"


def sign(key, message):
    return hmac.new(key.encode(), message + T.encode(), hashlib.sha256).hexdigest()


def header(body, canonical, secret, api_key):
    without_spaces = body.translate(None, b" \n\r")
    v1 = sign(api_key, without_spaces)
    v2 = sign(secret, canonical.encode().translate(None, b" \n\r"))
    v3 = sign(secret, base64.b64encode(body))
    return f"t={T},v1={v1},v2={v2},v3={v3}"


def delivery(name, body, value, ascii=True, secret=SECRET, api_key=API_KEY):
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=ascii)
    print(json.dumps({
        "name": name,
        "body": base64.b64encode(body).decode(),
        "header": header(body, canonical, secret, api_key),
        "secret": secret,
        "apiKey": api_key,
    }))


TRANSACTION = {
    "type": "transaction.purchase.successful",
    "status_id": "sts_7d02",
    "intent": {
        "id": "int_81f0",
        "created": "2025-03-27 15:41:02.118204+00:00",
        "custom_fields": None,
        "custom_form_answers": None,
        "amount": {"value": 50.0, "currency": "EUR"},
    },
    "account": {"id": "acc_31"},
    "transaction": {
        "type": "payment",
        "id": "0b6c1d5e-8f0a-4d57-9c57-0f7d3f7c2a11",
        "created": "2025-03-27 15:41:05.520117+00:00",
        "status": "purchase.successful",
        "billing_data": None,
        "external_action_message": [],
        "operations": [{
            "id": "opr_5521",
            "type": "purchase",
            "status": "successful",
            "amount": {"value": 50.0, "currency": "EUR"},
            "statuses": [
                {"id": "ops_1", "value": "successful", "created": "2025-03-27 15:41:19.803344+00:00"},
            ],
        }],
        "custom_message": "Tea & scones",
        "method": {"id": "mth_9", "display_name": "Card", "service_provider": {"id": "spr_2"}},
    },
    "api_version": "1.1",
}

PAYMENT = {
    "id": "2c9e3a60-14a8-4b6a-b0e5-6a4f6d2d7c90",
    "custom_fields": None,
    "created": "2025-03-27T15:41:05.520117Z",
    "status": "SUCCESSFUL",
    "amount": "120.50",
    "amount_currency": "EUR",
    "billing_data": None,
    "external_action_message": [],
    "payment_method": "mth_9",
    "payment_method_name": "Card",
    "custom_form_answers": None,
    "custom_message": "",
    "account": "acc_31",
    "provider_transaction_fields": {},
    "provider_signature_match": True,
}


def intent(amount, custom_fields, history):
    return {
        "type": "intent.processed",
        "intent_type": "PAYMENT",
        "data": {
            "intent_id": "int_81f1",
            "intent": {
                "id": "int_81f1",
                "status": "PROCESSED",
                "amount": amount,
                "amount_currency": "EUR",
                "type": "Payin",
                "account": "acc_31",
                "custom_fields": custom_fields,
                "billing_data": {
                    "first_name": "Zo\u00eb",
                    "last_name": "S\u00f8ndergaard",
                    "email": "zoe+shop@example.com",
                    "phone_number": "+4520123456",
                },
                "active_transaction": PAYMENT,
                "transactions_history": history,
                "method": {"display_name": "Card", "id": "mth_9"},
                "flow": None,
                "is_live": True,
                "created": "2025-03-27T15:41:02.118204Z",
            },
        },
        "api_version": "1.1",
    }


SHOP = {
    "order": "A-1001",
    "items": 3,
    "weight": 2.0,
    "note": "Gift for Zo\u00eb \U0001f600, <b>10%</b> off",
    "link": "https://shop.example/orders?id=7&step=2",
}
INTENT = intent(120.0, SHOP, [PAYMENT])
PLAIN = intent(120.0, {"order": "A-1001", "items": 3}, [PAYMENT])
PLAIN["data"]["intent"]["billing_data"] = None
LONG = intent(120.0, {"order": "A-1001"}, [dict(PAYMENT, id=f"trx_{number:05}") for number in range(252)])

COMPACT = {"separators": (",", ":")}
delivery("transaction", json.dumps(TRANSACTION).encode(), TRANSACTION)
delivery("transaction-compact", json.dumps(TRANSACTION, **COMPACT).encode(), TRANSACTION)
delivery("intent", json.dumps(INTENT).encode(), INTENT)
delivery("intent-compact", json.dumps(INTENT, **COMPACT).encode(), INTENT)
delivery("intent-plain", json.dumps(PLAIN).encode(), PLAIN)
# Letters as they are: what a sender with ensure_ascii=False prints.
delivery("intent-utf8", json.dumps(INTENT, ensure_ascii=False).encode(), INTENT, ascii=False)
# Forty minutes after the time of the signature, for what arrives under another header.
OTHER = json.loads(json.dumps(intent(15.0, None, [PAYMENT])).replace("T15:41", "T16:21"))
delivery("other-intent", json.dumps(OTHER).encode(), OTHER)
BIG = intent(120.0, {"reference": 9007199254740993, "items": 3}, [PAYMENT])
delivery("big-integer", json.dumps(BIG).encode(), BIG)
HUGE = intent(120.0, {"reference": 1234567890123456789}, [])
delivery("huge-integer", json.dumps(HUGE).encode(), HUGE)
delivery("long", json.dumps(LONG).encode(), LONG)
delivery("lines", f"\n{json.dumps(PLAIN)}\n".encode(), PLAIN)
delivery("indented", f"{json.dumps(PLAIN, indent=2)}\n".encode(), PLAIN)
delivery("compressed", gzip.compress(json.dumps(PLAIN).encode(), mtime=0), PLAIN)

# Another organization's: other keys, fractions of a unit, accents, quotes, back slashes, keys out of order.
REFUND = {
    "type": "transaction.refund.successful",
    "status_id": "sts_a1",
    "account": {"id": "acc_77"},
    "intent": {
        "id": "int_90c2",
        "created": "2025-03-27 15:40:11.004100+00:00",
        "custom_fields": {
            "name": "Jos\u00e9 \u00c5ngstr\u00f6m",
            "path": "C:\\temp\\new",
            "quote": "He said \"hi\" & left",
            "return_url": "https://shop.example/r/7?a=1&b=x+y",
            "discount": 0.1,
            "10": "ten",
            "2": "two",
        },
        "custom_form_answers": None,
        "amount": {"value": 19.99, "currency": "EUR"},
    },
    "transaction": {
        "type": "payment",
        "id": "77f0c1d2-0a1b-4c3d-8e5f-102938475664",
        "created": "2025-03-27 15:41:18.250000+00:00",
        "status": "refund.successful",
        "billing_data": {"first_name": "Jos\u00e9", "city": "G\u00f6teborg", "notes": ""},
        "external_action_message": [],
        "operations": [
            {"id": "opr_1", "type": "purchase", "status": "successful",
             "amount": {"value": 20.0, "currency": "EUR"}, "statuses": []},
            {"id": "opr_2", "type": "refund", "status": "successful",
             "amount": {"value": 19.99, "currency": "EUR"}, "statuses": []},
        ],
        "custom_message": "Caf\u00e9 <refund> it's \u20ac19.99",
        "method": {"id": "mth_3", "display_name": "Wallet", "service_provider": {"id": "spr_8"}},
    },
    "api_version": "1.1",
}
OTHERS = {
    "secret": "b4c0ffee5d1e4a7f93c26e0d8a7b1f52c3d4e5f60718293a4b5c6d7e8f901a2b",
    "api_key": "acct_test_0a9b8c7d6e5f41320",
}
delivery("refund", json.dumps(REFUND).encode(), REFUND, **OTHERS)
delivery("refund-utf8", json.dumps(REFUND, ensure_ascii=False).encode(), REFUND, ascii=False, **OTHERS)
