"""Bodies as the service sends them (section 6.6 of the API document), and ways to print them."""

import json
from typing import Any, Dict

# The body of most vectors about the header or the time. It is short, because it does not matter there.
SMALL = b'{"type":"intent.processed","intent_type":"PAYMENT","api_version":"1.1"}'

# Shape A. Spaces in strings, {} next to [], 50.0 next to 5 and 7.1, a name beyond ASCII.
TRANSACTION_EVENT: Dict[str, Any] = {
    "type": "transaction.purchase.successful",
    "status_id": "st_9f2c1d",
    "intent": {
        "id": "in_51c0ffee",
        "created": "2025-03-27 15:40:12.482913+00:00",
        "custom_fields": {"Order No": 5, "zone": "B 7", "10": "ten", "2": "two"},
        "custom_form_answers": None,
        "amount": {"value": 50.0, "currency": "EUR"},
    },
    "account": {"id": "ac_77"},
    "transaction": {
        "type": "payment",
        "id": "0b0e6f5a-6f0c-4c1e-9a51-2f6c1d1f6a10",
        "created": "2025-03-27 15:40:13.001274+00:00",
        "status": "purchase.successful",
        "billing_data": {"first_name": "Zo\u00eb", "last_name": "van der Berg"},
        "external_action_message": [],
        "operations": [
            {
                "id": "op_1",
                "type": "purchase",
                "status": "successful",
                "amount": {"value": 7.1, "currency": "EUR"},
                "statuses": [
                    {"id": "os_1", "value": "successful", "created": "2025-03-27 15:40:14.120000+00:00"}
                ],
            }
        ],
        "custom_message": "Thank you, come again",
        "method": {"id": "pm_3", "display_name": "Bank card", "service_provider": {"id": "sp_12"}},
    },
    "api_version": "1.1",
}

HISTORY_ITEM: Dict[str, Any] = {
    "id": "6d2b7c1e-3c55-4a7e-8a0e-d6f0a3b0c9f2",
    "custom_fields": {},
    "created": "2025-03-27T15:40:13.001274Z",
    "status": "SUCCESSFUL",
    "amount": "50.00",
    "amount_currency": "EUR",
    "billing_data": {},
    "external_action_message": [],
    "payment_method": "pm_3",
    "payment_method_name": "Bank card",
    "custom_form_answers": {},
    "custom_message": "",
    "account": "ac_77",
    "provider_transaction_fields": {
        "clearingInstituteName": "Test Bank",
        "ExtendedDescription": "Request successfully processed",
        "EXTERNAL_SYSTEM_LINK": "https://example.com/tx/1?a=1&b=<2>",
    },
    "provider_signature_match": True,
}

# Shape B. Mixed-case keys, amounts as numbers and as strings, true, null and {}.
INTENT_EVENT: Dict[str, Any] = {
    "type": "intent.processed",
    "intent_type": "PAYMENT",
    "data": {
        "intent_id": "in_51c0ffee",
        "intent": {
            "id": "in_51c0ffee",
            "status": "PROCESSED",
            "amount": 50.0,
            "amount_currency": "EUR",
            "type": "Payin",
            "account": "ac_77",
            "custom_fields": {"Order No": 5, "weight": 7.1},
            "billing_data": {
                "first_name": "Zo\u00eb",
                "last_name": "van der Berg",
                "email": "zoe@example.com",
                "phone_number": "+31 6 0000 0000",
            },
            "active_transaction": HISTORY_ITEM,
            "transactions_history": [HISTORY_ITEM],
            "method": {"display_name": "Bank card", "id": "pm_3"},
            "flow": None,
            "is_live": False,
            "created": "2025-03-27T15:40:12.482913Z",
        },
    },
    "api_version": "1.1",
}


def compact(value: Any, ascii_only: bool = False) -> bytes:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)
    return text.encode("utf-8")


def spaced(value: Any) -> bytes:
    """One line, with a space after each comma and colon, as Python's json.dumps prints."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8")


def indented(value: Any, indent: Any = 2, line_break: str = "\n") -> bytes:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return text.replace("\n", line_break).encode("utf-8")


def reordered(value: Any) -> Any:
    """The same data, with the keys of every object the other way round."""
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(list(value))}
    if isinstance(value, list):
        return [reordered(item) for item in value]
    return value
