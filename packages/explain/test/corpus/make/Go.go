// What Go makes of a body.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"runtime"
	"strings"
)

type delivery struct{ Name, Body, Header string }

type intentEvent struct {
	Type       string `json:"type"`
	IntentType string `json:"intent_type"`
	Data       struct {
		IntentID string          `json:"intent_id"`
		Intent   json.RawMessage `json:"intent"`
	} `json:"data"`
	APIVersion string `json:"api_version"`
}

var sent = map[string][]byte{}
var headers = map[string]string{}

func add(kind, from, did string, body []byte, expect, says string) {
	write(map[string]any{"kind": kind, "sent": from, "did": did, "expect": expect, "says": says,
		"body": base64.StdEncoding.EncodeToString(body)})
}

func write(line map[string]any) {
	line["tool"] = runtime.Version()
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(line))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func parsed(name string) (value map[string]any) {
	check(json.Unmarshal(sent[name], &value))
	return
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	check(err)
	return text
}

func withoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, item := range value {
			if item == nil {
				delete(value, key)
			} else {
				withoutNulls(item)
			}
		}
	case []any:
		for _, item := range value {
			withoutNulls(item)
		}
	}
	return value
}

func main() {
	file, err := os.Open("../sent.jsonl")
	check(err)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line delivery
		check(json.Unmarshal(lines.Bytes(), &line))
		sent[line.Name], _ = base64.StdEncoding.DecodeString(line.Body)
		headers[line.Name] = line.Header
	}
	for _, from := range []string{"transaction", "transaction-compact", "intent", "intent-compact", "intent-utf8"} {
		add("printed", from, "json.Unmarshal into a map, json.Marshal", marshal(parsed(from)), "body-reserialized", `10\.0.*Go`)
	}
	indented, _ := json.MarshalIndent(parsed("intent"), "", "  ")
	add("printed", "intent", "json.MarshalIndent of a map", indented, "body-reserialized", `10\.0`)
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(parsed("intent")))
	add("printed", "intent", "Encoder of a map, SetEscapeHTML(false)", buffer.Bytes(), "body-reserialized", `10\.0`)
	buffer = bytes.Buffer{}
	check(json.NewEncoder(&buffer).Encode(parsed("transaction")))
	add("printed", "transaction", "Encoder.Encode of a map, with its line feed", buffer.Bytes(), "body-reserialized", `10\.0`)
	decoder := json.NewDecoder(bytes.NewReader(sent["intent"]))
	decoder.UseNumber()
	var numbers map[string]any
	check(decoder.Decode(&numbers))
	add("printed", "intent", "Decoder.UseNumber, json.Marshal", marshal(numbers), "body-not-verbatim", `sorted`)
	var raw map[string]json.RawMessage
	check(json.Unmarshal(sent["intent"], &raw))
	add("printed", "intent", "map[string]json.RawMessage, json.Marshal", marshal(raw), "body-not-verbatim", "re-serialized")
	var event intentEvent
	check(json.Unmarshal(sent["intent"], &event))
	add("printed", "intent", "struct with json.RawMessage, json.Marshal", marshal(event), "body-reserialized", "re-serialized")
	for _, from := range []string{"intent", "intent-plain", "transaction"} {
		buffer = bytes.Buffer{}
		check(json.Compact(&buffer, sent[from]))
		add("printed", from, "json.Compact", buffer.Bytes(), "body-reserialized", "re-serialized")
	}
	buffer = bytes.Buffer{}
	check(json.Indent(&buffer, sent["intent"], "", "\t"))
	add("printed", "intent", "json.Indent with tabs", buffer.Bytes(), "body-reindented", "indented")
	buffer = bytes.Buffer{}
	json.HTMLEscape(&buffer, sent["intent"])
	add("printed", "intent", "json.HTMLEscape", buffer.Bytes(), "body-reserialized", "u003c")
	add("printed", "transaction", "map without nulls, json.Marshal", marshal(withoutNulls(parsed("transaction"))), "body-reserialized", "null")
	add("printed", "intent", "map without nulls, json.Marshal", marshal(withoutNulls(parsed("intent"))), "body-reserialized", "null")
	add("printed", "big-integer", "json.Unmarshal into a map, json.Marshal", marshal(parsed("big-integer")), "body-reserialized", "2\\^53|53 bits")
	add("printed", "huge-integer", "json.Unmarshal into a map, json.Marshal", marshal(parsed("huge-integer")), "integers-rounded?", "integer")

	add("wrapped", "intent", "html.EscapeString", []byte(html.EscapeString(string(sent["intent"]))), "body-html-escaped", "HTML")
	add("wrapped", "intent", "url.QueryEscape", []byte(url.QueryEscape(string(sent["intent"]))), "body-form-encoded", "form")
	add("wrapped", "intent", "json.Marshal of []byte", marshal(sent["intent"]), "body-json-string+body-base64|body-base64", "base64")
	add("wrapped", "transaction", "fmt.Sprint of []byte", []byte(fmt.Sprint(sent["transaction"])), "body-bytes-printed", "bytes")
	cases := inChunks(sent["transaction"])
	add("wrapped", "transaction", "fmt.Sprintf %q", []byte(fmt.Sprintf("%q", sent["transaction"])), "body-json-string", "string")
	add("wrapped", "transaction", "fmt.Sprint of the parsed map", []byte(fmt.Sprint(parsed("transaction"))), "body-printed-object?", "parse")
	add("wrapped", "transaction", "chunked transfer coding, left in by a reader of the socket", cases, "body-chunked", "chunk")
	dumped, _ := http.NewRequest("POST", "http://shop.example/webhooks", bytes.NewReader(sent["transaction"]))
	whole, err := httputil.DumpRequest(dumped, true)
	check(err)
	add("wrapped", "transaction", "httputil.DumpRequest, headers and body", whole, "body-envelope", "request")
	for from, size := range map[string]int64{"long": 4096} {
		part, _ := io.ReadAll(io.LimitReader(bytes.NewReader(sent[from]), size))
		add("cut", from, "io.LimitReader 4096", part, "body-cut?", "4,?096")
	}
	part, _ := io.ReadAll(io.LimitReader(bytes.NewReader(sent["long"]), 65536))
	add("cut", "long", "io.LimitReader 65536", part, "body-cut?", "65,?536")
	head := make([]byte, 512)
	n, _ := bytes.NewReader(sent["intent"]).Read(head)
	add("cut", "intent", "one Read into 512 bytes", head[:n], "body-cut?", "512")

	header := http.Header{"Service-Signature": {headers["intent"]}}
	write(map[string]any{"kind": "header", "sent": "intent", "did": "fmt.Sprint(r.Header[name])",
		"header": fmt.Sprint(header["Service-Signature"]), "expect": "header-separators", "says": "header"})
	var text bytes.Buffer
	check(header.Write(&text))
	write(map[string]any{"kind": "header", "sent": "intent", "did": "http.Header.Write",
		"header": text.String(), "expect": "header-name-in-value", "says": "name"})
}

// The body as a recorder of the socket sees it, when it is sent in chunks.
func inChunks(body []byte) []byte {
	var recorded []byte
	var buffer bytes.Buffer
	writer := httputil.NewChunkedWriter(&buffer)
	_, err := io.Copy(writer, io.MultiReader(bytes.NewReader(body[:400]), strings.NewReader(string(body[400:]))))
	check(err)
	check(writer.Close())
	recorded = append(buffer.Bytes(), '\r', '\n')
	return recorded
}
