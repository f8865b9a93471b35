# What Ruby makes of a body.
require 'base64'
require 'cgi'
require 'json'
require 'uri'
require 'zlib'

SENT = File.readlines("#{__dir__}/../sent.jsonl").to_h do |line|
  delivery = JSON.parse(line)
  [delivery['name'], delivery.merge('body' => Base64.decode64(delivery['body']).force_encoding('UTF-8'))]
end

def add(kind, from, did, expect, says, body: nil, header: nil)
  line = { tool: "Ruby #{RUBY_VERSION}, json #{JSON::VERSION}", kind:, sent: from, did:, expect:, says: }
  line[:body] = Base64.strict_encode64(body) if body
  line[:header] = header if header
  puts JSON.generate(line)
end

def body(name) = SENT.fetch(name)['body']
def parsed(name) = JSON.parse(body(name))

def sorted(value)
  case value
  when Hash then value.sort.to_h { |key, item| [key, sorted(item)] }
  when Array then value.map { |item| sorted(item) }
  else value
  end
end

def compact(value)
  case value
  when Hash then value.compact.transform_values { |item| compact(item) }
  when Array then value.map { |item| compact(item) }
  else value
  end
end

%w[transaction intent intent-plain].each do |from|
  add('printed', from, 'JSON.generate(JSON.parse(body))', 'body-reserialized', 're-serialized',
      body: JSON.generate(parsed(from)))
end
add('printed', 'intent', 'JSON.pretty_generate', 'body-reserialized', 'indented',
    body: JSON.pretty_generate(parsed('intent')))
add('printed', 'intent-plain', 'JSON.pretty_generate', 'body-reindented', 'indented',
    body: JSON.pretty_generate(parsed('intent-plain')))
add('printed', 'intent-compact', 'JSON.generate, script_safe', 'body-reserialized', 're-serialized',
    body: JSON.generate(parsed('intent-compact'), script_safe: true))
add('printed', 'intent', 'JSON.generate, ascii_only', 'body-reserialized', 're-serialized',
    body: JSON.generate(parsed('intent'), ascii_only: true))
add('printed', 'intent', 'sort_by key and JSON.generate', 'body-not-verbatim', 'sorted',
    body: JSON.generate(sorted(parsed('intent'))))
add('printed', 'transaction', 'Hash#compact and to_json', 'body-reserialized', 'null',
    body: compact(parsed('transaction')).to_json)
add('wrapped', 'intent', 'CGI.escape', 'body-form-encoded', 'form', body: CGI.escape(body('intent')))
add('wrapped', 'intent', 'CGI.unescape', 'body-form-encoded', 'form', body: CGI.unescape(body('intent')))
add('wrapped', 'intent', 'CGI.escapeHTML', 'body-html-escaped', 'HTML', body: CGI.escapeHTML(body('intent')))
form = URI.encode_www_form('payload' => body('intent'))
add('wrapped', 'intent', 'URI.encode_www_form of payload', 'body-form-encoded', 'form', body: form)
add('wrapped', 'intent', 'String#inspect', 'body-json-string', 'string', body: body('intent').inspect)
add('wrapped', 'intent', 'Hash#inspect', 'body-printed-object?', 'parse', body: parsed('intent').inspect)
add('wrapped', 'transaction', 'Base64.encode64, in lines of 60', 'body-base64', 'base64',
    body: Base64.encode64(body('transaction')))
add('wrapped', 'intent-plain', 'Zlib.deflate', 'body-compressed', 'compressed',
    body: Zlib.deflate(body('intent-plain')))
add('text', 'lines', 'String#strip', 'body-trailing-newline', 'white space|line feed', body: body('lines').strip)
add('text', 'intent', 'puts, with its line feed', 'body-trailing-newline', 'line feed', body: "#{body('intent')}\n")
add('text', 'indented', 'gsub("\n", "\r\n")', 'body-line-endings', 'CRLF', body: body('indented').gsub("\n", "\r\n"))
add('text', 'intent-utf8', 'encode("ASCII", undef: :replace)', 'body-characters-lost?', '"\\?"',
    body: body('intent-utf8').encode('ASCII', undef: :replace))
add('text', 'intent-utf8', 'unicode_normalize(:nfd)', 'body-unicode-form', 'NFD',
    body: body('intent-utf8').unicode_normalize(:nfd))
value = SENT['intent']['header']
add('header', 'intent', 'Array#to_s of the header', 'header-quoted+header-separators', 'quotes', header: [value].to_s)
add('header', 'intent', 'CGI.escape', 'header-percent-encoded', 'percent', header: CGI.escape(value))
add('header', 'intent', 'String#inspect', 'header-quoted', 'quotes', header: value.inspect)
