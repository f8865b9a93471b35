// What Java makes of a body, with Jackson and with Gson.
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParser;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

class Java {
    static final ObjectMapper JACKSON = new ObjectMapper();
    static final String JACKSON_NAME = "Java 17, Jackson 2.14";
    static final String GSON_NAME = "Java 17, Gson 2.10";
    static final String JAVA_NAME = "Java 17";

    static void add(String tool, String kind, String from, String did, byte[] body, String expect, String says)
            throws Exception {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("tool", tool);
        line.put("kind", kind);
        line.put("sent", from);
        line.put("did", did);
        line.put("body", Base64.getEncoder().encodeToString(body));
        line.put("expect", expect);
        line.put("says", says);
        System.out.println(new ObjectMapper().writeValueAsString(line));
    }

    static void add(String tool, String kind, String from, String did, String body, String expect, String says)
            throws Exception {
        add(tool, kind, from, did, body.getBytes(StandardCharsets.UTF_8), expect, says);
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, String> sent = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of("../sent.jsonl"))) {
            Map<?, ?> delivery = JACKSON.readValue(line, Map.class);
            byte[] body = Base64.getDecoder().decode((String) delivery.get("body"));
            sent.put((String) delivery.get("name"), new String(body, StandardCharsets.UTF_8));
        }
        String intent = sent.get("intent");
        String transaction = sent.get("transaction");
        for (String from : new String[] {"intent", "transaction"}) {
            String printed = JACKSON.writeValueAsString(JACKSON.readValue(sent.get(from), Map.class));
            add(JACKSON_NAME, "printed", from, "ObjectMapper, Map", printed, "body-reserialized", "re-serialized");
        }
        add(JACKSON_NAME, "printed", "intent", "readTree, toString", JACKSON.readTree(intent).toString(),
            "body-reserialized", "re-serialized");
        add(JACKSON_NAME, "printed", "intent", "readTree, toPrettyString", JACKSON.readTree(intent).toPrettyString(),
            "body-reserialized", "Jackson|indented");
        add(JACKSON_NAME, "printed", "intent", "TreeMap, ORDER_MAP_ENTRIES_BY_KEYS",
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true)
                .writeValueAsString(JACKSON.readValue(intent, TreeMap.class)), "body-not-verbatim", "sorted");
        ObjectMapper decimals = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
        add(JACKSON_NAME, "printed", "intent", "USE_BIG_DECIMAL_FOR_FLOATS, readTree",
            decimals.writeValueAsString(decimals.readTree(intent)), "body-reserialized", "re-serialized");
        ObjectMapper nonNull = new ObjectMapper()
            .setDefaultPropertyInclusion(JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL));
        add(JACKSON_NAME, "printed", "intent", "NON_NULL, Map",
            nonNull.writeValueAsString(JACKSON.readValue(intent, Map.class)), "body-reserialized", "null");

        Gson gson = new Gson();
        for (String from : new String[] {"intent", "transaction", "intent-plain"}) {
            String printed = gson.toJson(gson.fromJson(sent.get(from), Map.class));
            add(GSON_NAME, "printed", from, "fromJson(Map), toJson: drops nulls, integers become 3.0", printed,
                "body-reserialized", "null");
        }
        Gson nulls = new GsonBuilder().serializeNulls().create();
        add(GSON_NAME, "printed", "intent-plain", "serializeNulls: integers become 3.0",
            nulls.toJson(gson.fromJson(sent.get("intent-plain"), Map.class)), "body-reserialized", "10\\.0");
        add(GSON_NAME, "printed", "intent", "serializeNulls: integers become 3.0, = as \\u003d",
            nulls.toJson(gson.fromJson(intent, Map.class)), "body-reserialized", "Gson");
        add(GSON_NAME, "printed", "intent", "JsonParser, serializeNulls",
            nulls.toJson(JsonParser.parseString(intent)), "body-reserialized", "u003c");
        add(GSON_NAME, "printed", "transaction", "JsonParser, toString",
            JsonParser.parseString(transaction).toString(), "body-reserialized", "re-serialized");
        add(GSON_NAME, "printed", "intent", "setPrettyPrinting, serializeNulls, disableHtmlEscaping",
            new GsonBuilder().setPrettyPrinting().serializeNulls().disableHtmlEscaping().create()
                .toJson(JsonParser.parseString(intent)), "body-reserialized", "indented");

        add(JAVA_NAME, "wrapped", "transaction", "Map.toString()", JACKSON.readValue(transaction, Map.class).toString(),
            "body-printed-object?", "parse");
        add(JAVA_NAME, "wrapped", "transaction", "Arrays.toString(byte[])",
            Arrays.toString(transaction.getBytes(StandardCharsets.UTF_8)), "body-bytes-printed", "bytes");
        add(JAVA_NAME, "wrapped", "intent", "URLEncoder.encode", URLEncoder.encode(intent, StandardCharsets.UTF_8),
            "body-form-encoded", "form");
        add(JAVA_NAME, "wrapped", "transaction", "URLDecoder.decode",
            URLDecoder.decode(transaction, StandardCharsets.UTF_8), "body-form-encoded", "form");
        String utf8 = sent.get("intent-utf8");
        byte[] bytes = utf8.getBytes(StandardCharsets.UTF_8);
        add(JAVA_NAME, "text", "intent-utf8", "new String(bytes, ISO_8859_1)",
            new String(bytes, StandardCharsets.ISO_8859_1), "body-charset", "Latin-1");
        add(JAVA_NAME, "text", "intent-utf8", "new String(bytes, windows-1252)",
            new String(bytes, "windows-1252"), "body-charset", "Windows-1252|Latin-1");
        add(JAVA_NAME, "text", "intent-utf8", "new String(bytes, US_ASCII)",
            new String(bytes, StandardCharsets.US_ASCII), "body-characters-lost?", "U\\+FFFD");
        add(JAVA_NAME, "text", "intent-utf8", "getBytes(US_ASCII)", utf8.getBytes(StandardCharsets.US_ASCII),
            "body-characters-lost?", "\"\\?\"");
        add(JAVA_NAME, "text", "intent-plain", "getBytes(UTF_16)", sent.get("intent-plain").getBytes(StandardCharsets.UTF_16),
            "body-charset", "UTF-16");
        add(JAVA_NAME, "text", "intent-plain", "getBytes(UTF_16LE)", sent.get("intent-plain").getBytes(StandardCharsets.UTF_16LE),
            "body-charset", "UTF-16");
        add(JAVA_NAME, "text", "intent-utf8", "Normalizer NFD", Normalizer.normalize(utf8, Normalizer.Form.NFD),
            "body-unicode-form", "NFD");
        add(JAVA_NAME, "text", "lines", "String.strip()", sent.get("lines").strip(),
            "body-trailing-newline", "white space|line feed");
        add(JAVA_NAME, "cut", "long", "InputStream.read into byte[16384]", sent.get("long").substring(0, 16384),
            "body-cut?", "16,?384");
        add(JAVA_NAME, "text", "indented", "BufferedReader lines joined without line breaks",
            String.join("", sent.get("indented").lines().toList()),
            "body-line-endings|body-reserialized+body-trailing-newline|body-not-verbatim",
            "line breaks|indented|white space");
    }
}
