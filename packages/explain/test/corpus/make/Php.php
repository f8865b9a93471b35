<?php
// What PHP makes of a body.
ini_set('serialize_precision', '-1');
$sent = [];
foreach (file(__DIR__ . '/../sent.jsonl') as $line) {
    $delivery = json_decode($line, true);
    $sent[$delivery['name']] = base64_decode($delivery['body']);
}

function add(string $kind, string $from, string $did, string $body, string $expect, string $says): void
{
    echo json_encode([
        'tool' => 'PHP ' . PHP_VERSION, 'kind' => $kind, 'did' => $did, 'sent' => $from,
        'body' => base64_encode($body), 'expect' => $expect, 'says' => $says,
    ], JSON_UNESCAPED_SLASHES), "\n";
}

$flags = [
    'json_encode(json_decode($body, true))' => [true, 0],
    'json_encode(json_decode($body))' => [false, 0],
    'json_encode($array, JSON_PRETTY_PRINT)' => [true, JSON_PRETTY_PRINT],
    'json_encode($array, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE)' =>
        [true, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE],
    'json_encode($array, JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_SLASHES)' =>
        [true, JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_SLASHES],
    'json_encode($array, JSON_HEX_TAG | JSON_HEX_AMP | JSON_HEX_APOS | JSON_HEX_QUOT)' =>
        [true, JSON_HEX_TAG | JSON_HEX_AMP | JSON_HEX_APOS | JSON_HEX_QUOT],
];
foreach ($flags as $did => [$isArray, $options]) {
    $printed = json_encode(json_decode($sent['intent'], $isArray), $options);
    add('printed', 'intent', $did, $printed, 'body-reserialized', $isArray ? '\\[\\]' : '10\\.0');
}
$printed = json_encode(json_decode($sent['intent'], true));
add('printed', 'intent', 'json_encode(json_decode($body, true)), PHP by name', $printed, 'body-reserialized', 'PHP');
foreach (['transaction', 'transaction-compact'] as $from) {
    $printed = json_encode(json_decode($sent[$from], true));
    add('printed', $from, 'json_encode(json_decode($body, true))', $printed, 'body-reserialized', '10\\.0');
}

function withoutNulls(array $array): array
{
    $kept = array_filter($array, fn ($value) => $value !== null);
    return array_map(fn ($value) => is_array($value) ? withoutNulls($value) : $value, $kept);
}

function sorted(array $array): array
{
    if (!array_is_list($array)) {
        ksort($array);
    }
    return array_map(fn ($value) => is_array($value) ? sorted($value) : $value, $array);
}

$array = json_decode($sent['transaction'], true);
add('printed', 'transaction', 'array_filter without nulls', json_encode(withoutNulls($array)),
    'body-reserialized', 'null');
add('printed', 'transaction', 'ksort and json_encode', json_encode(sorted($array)), 'body-reserialized', 'sorted');
$array = json_decode($sent['huge-integer'], true);
add('printed', 'huge-integer', 'json_encode(json_decode($body, true))', json_encode($array),
    'body-reserialized', '\\[\\]');
$array = json_decode($sent['huge-integer'], true, 512, JSON_BIGINT_AS_STRING);
add('printed', 'huge-integer', 'JSON_BIGINT_AS_STRING', json_encode($array), 'body-reserialized', '\\[\\]');

$body = $sent['intent-utf8'];
add('wrapped', 'intent', 'htmlspecialchars($body)', htmlspecialchars($sent['intent']), 'body-html-escaped', 'HTML');
add('wrapped', 'intent-utf8', 'htmlentities($body)', htmlentities($body), 'body-html-escaped', 'HTML');
add('wrapped', 'intent', 'urlencode($body)', urlencode($sent['intent']), 'body-form-encoded', 'form');
add('wrapped', 'intent', 'rawurlencode($body)', rawurlencode($sent['intent']), 'body-form-encoded', 'form');
add('wrapped', 'intent', 'urldecode($body)', urldecode($sent['intent']), 'body-form-encoded', 'form');
add('wrapped', 'transaction', 'urldecode($body)', urldecode($sent['transaction']), 'body-form-encoded', 'form');
add('wrapped', 'intent', 'addslashes($body), as WordPress does', addslashes($sent['intent']),
    'body-json-string', 'backslash');
add('wrapped', 'intent', 'stripslashes($body), as wp_unslash does', stripslashes($sent['intent']),
    'body-json-string', 'backslash');
add('wrapped', 'intent', 'json_encode($body)', json_encode($sent['intent']), 'body-json-string', 'string');
add('wrapped', 'intent', 'base64_encode($body)', base64_encode($sent['intent']), 'body-base64', 'base64');
add('wrapped', 'intent-plain', 'gzencode($body)', gzencode($sent['intent-plain']), 'body-compressed', 'compressed');
add('wrapped', 'intent-plain', 'gzdeflate($body)', gzdeflate($sent['intent-plain']), 'body-compressed', 'compressed');
add('text', 'lines', 'trim($body)', trim($sent['lines']), 'body-trailing-newline', 'white space|line feed');
add('text', 'intent-utf8', 'mb_convert_encoding($body, "UTF-8", "ISO-8859-1")',
    mb_convert_encoding($body, 'UTF-8', 'ISO-8859-1'), 'body-charset', 'Latin-1|Windows-1252');
add('text', 'intent-utf8', 'mb_convert_encoding($body, "ISO-8859-1", "UTF-8")',
    mb_convert_encoding($body, 'ISO-8859-1', 'UTF-8'), 'body-characters-lost?', '"\\?"|UTF-8');
add('text', 'intent-utf8', 'Normalizer::normalize($body, Normalizer::FORM_D)',
    Normalizer::normalize($body, Normalizer::FORM_D), 'body-unicode-form', 'NFD');
add('text', 'intent', 'json_encode with Normalizer::FORM_D within strings',
    json_encode(json_decode(Normalizer::normalize($body, Normalizer::FORM_D), true)), 'body-reserialized|body-reserialized+body-unicode-form', 'NFD');
add('cut', 'intent', 'fread($stream, 1024)', substr($sent['intent'], 0, 1024), 'body-cut?', '1,?024');
add('cut', 'long', 'fread($stream, 8192)', substr($sent['long'], 0, 8192), 'body-cut?', '8,?192');
ob_start();
print_r(json_decode($sent['intent'], true));
add('wrapped', 'intent', 'print_r(json_decode($body, true))', ob_get_clean(), 'body-printed-object?', 'parse');
add('wrapped', 'intent', 'serialize(json_decode($body, true))', serialize(json_decode($sent['intent'], true)),
    'body-printed-object?', 'parse');
