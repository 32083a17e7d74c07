import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Client of the control plane of {@code tck stub}, for tests in Java 17 or newer with JUnit 5. Copy this file into your
 * tests. It needs the package content-workspace-tck of npm in {@code node_modules}, and no other library.
 *
 * <pre>{@code
 * @ExtendWith(TckStub.Extension.class)
 * class ClientTest {
 *   @Test
 *   void waits(TckStub.Sandbox sandbox) { … }
 * }
 * }</pre>
 *
 * If TCK_CONTROL_URL and TCK_CONTROL_TOKEN are set, tests use that running stub.
 */
public final class TckStub implements ExtensionContext.Store.CloseableResource {
  /** npx does not pass signals on to the stub. */
  private static final List<String> COMMAND =
      List.of("node_modules/.bin/tck", "stub", "--port", "0", "--control", "--json");

  /** A proxy does not reach the stub. */
  private final HttpClient http = HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();
  private final Process process;
  private final String url;
  private final String token;

  /** Uses a stub that runs already. */
  public TckStub(String url, String token) {
    this.url = url;
    this.token = token;
    process = null;
  }

  /** Uses the stub of the environment, or starts one. */
  public TckStub() throws IOException {
    var running = System.getenv("TCK_CONTROL_URL");
    if (running != null) {
      url = running;
      token = System.getenv("TCK_CONTROL_TOKEN");
      process = null;
      return;
    }
    process = start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    BufferedReader output = process.inputReader();
    var line = output.readLine();
    if (line == null) throw new IllegalStateException("The stub did not start");
    var control = Json.object(Json.object(Json.parse(line)).get("control"));
    url = (String) control.get("url");
    token = (String) control.get("token");
  }

  private static Process start() throws IOException {
    try {
      return new ProcessBuilder(COMMAND).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException error) {
      var hint = "Run npm install, and run the tests in the folder with node_modules.";
      throw new IOException("Cannot start " + COMMAND.get(0) + ". " + hint, error);
    }
  }

  @Override
  public void close() throws InterruptedException {
    if (process == null) return;
    process.destroy();
    process.waitFor();
  }

  /** Creates a sandbox, for example with {@code Map.of("seed", 7, "profile", "flaky-gateway")}. */
  public Sandbox sandbox(Map<String, ?> options) {
    return new Sandbox(this, send("POST", "worlds", options));
  }

  private Map<String, Object> send(String method, String path, Map<String, ?> body) {
    var content = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body));
    var request =
        HttpRequest.newBuilder(URI.create(url + path)).header("x-control-token", token).method(method, content);
    try {
      var response = http.send(request.build(), BodyHandlers.ofString());
      if (response.statusCode() < 300) return Json.object(Json.parse(response.body()));
      throw new AssertionError(method + " " + path + ": " + response.statusCode() + " " + response.body());
    } catch (IOException error) {
      throw new IllegalStateException("The stub does not respond", error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }

  /** Keys, data, clock, rate limits, faults and journal of one test. */
  public static final class Sandbox {
    private final TckStub stub;
    private final Map<String, Object> access;

    private Sandbox(TckStub stub, Map<String, Object> access) {
      this.stub = stub;
      this.access = access;
    }

    public String baseUrl() {
      return (String) access.get("baseUrl");
    }

    /** The key of a role, such as primary. */
    public String key(String role) {
      return (String) Json.object(access.get("keys")).get(role);
    }

    /** The workspaces of primary, each with a slug and a board. */
    public List<Map<String, Object>> workspaces() {
      return Json.objects(access.get("workspaces"));
    }

    private Map<String, Object> send(String method, String path) {
      return send(method, path, null);
    }

    private Map<String, Object> send(String method, String path, Map<String, ?> body) {
      return stub.send(method, "worlds/" + access.get("world") + path, body);
    }

    public String now() {
      return (String) state().get("now");
    }

    public void advance(double seconds) {
      send("POST", "/clock", Map.of("seconds", seconds));
    }

    public void setTime(String time) {
      send("POST", "/clock", Map.of("time", time));
    }

    public void freeze(boolean frozen) {
      send("POST", "/clock", Map.of("frozen", frozen));
    }

    /** Queues a fault, such as {@code Map.of("tool", "schedule.read", "status", 503)}. */
    public void addFault(Map<String, ?> fault) {
      send("POST", "/faults", Map.of("faults", List.of(fault)));
    }

    public Map<String, Object> faults() {
      return Json.object(state().get("faults"));
    }

    public void clearFaults() {
      send("DELETE", "/faults");
    }

    /** Throws an AssertionError if no request matched a fault. */
    public void verifyFaults() {
      send("POST", "/faults/verify");
    }

    /** Changes the key of a role, for example with {@code Map.of("key", "revoked")}. */
    public void switchKey(String role, Map<String, ?> switches) {
      Map<String, Object> body = new LinkedHashMap<>(switches);
      body.put("role", role);
      send("POST", "/switches", body);
    }

    public void approve(String confirmationId) {
      send("POST", "/person", Map.of("act", "approve", "subject", confirmationId));
    }

    public void deny(String confirmationId) {
      send("POST", "/person", Map.of("act", "deny", "subject", confirmationId));
    }

    public void pick(String workspace) {
      send("POST", "/person", Map.of("act", "pick", "subject", workspace));
    }

    public Map<String, Object> state() {
      return send("GET", "/state");
    }

    /** The events after an event number. */
    public List<Map<String, Object>> journal(int after) {
      return Json.objects(send("GET", "/journal?after=" + after).get("events"));
    }

    /** The recorded exchanges of a tool. */
    public List<Map<String, Object>> requests(String tool) {
      return journal(0).stream().filter(event -> tool.equals(event.get("tool"))).toList();
    }

    public Map<String, Object> judgement() {
      return send("GET", "/judgement");
    }

    public void reset() {
      send("POST", "/reset");
    }

    public void drop() {
      send("DELETE", "");
    }
  }

  /** Starts one stub for all tests, and gives each test a sandbox as a parameter. */
  public static final class Extension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(TckStub.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      var type = parameter.getParameter().getType();
      return type == Sandbox.class || type == TckStub.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      var stub = context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent("stub", key -> start(), TckStub.class);
      if (parameter.getParameter().getType() == TckStub.class) return stub;
      var store = context.getStore(NAMESPACE);
      return store.getOrComputeIfAbsent("sandbox", key -> stub.sandbox(Map.of()), Sandbox.class);
    }

    /** Fails a test if no request matched one of its faults. */
    @Override
    public void afterEach(ExtensionContext context) {
      var sandbox = context.getStore(NAMESPACE).remove("sandbox", Sandbox.class);
      if (sandbox == null) return;
      try {
        if (context.getExecutionException().isEmpty()) sandbox.verifyFaults();
      } finally {
        sandbox.drop();
      }
    }

    private static TckStub start() {
      try {
        return new TckStub();
      } catch (IOException error) {
        throw new IllegalStateException("The stub did not start", error);
      }
    }
  }

  /** Reads and writes the JSON of the control plane as maps, lists, strings, numbers, booleans and null. */
  static final class Json {
    private final String text;
    private int at = 0;

    private Json(String text) {
      this.text = text;
    }

    static Object parse(String text) {
      return new Json(text).value();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
      return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> objects(Object value) {
      return (List<Map<String, Object>>) value;
    }

    static String write(Object value) {
      if (value instanceof Map<?, ?> map) {
        return map.entrySet().stream()
            .map(entry -> write(entry.getKey()) + ":" + write(entry.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
      }
      if (value instanceof List<?> list) {
        return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
      }
      if (!(value instanceof String string)) return String.valueOf(value);
      return string
          .chars()
          .mapToObj(c -> c < ' ' || c == '"' || c == '\\' ? String.format("\\u%04x", c) : String.valueOf((char) c))
          .collect(Collectors.joining("", "\"", "\""));
    }

    private Object value() {
      var next = peek();
      if (next == '{') return members();
      if (next == '[') return elements();
      if (next == '"') return string();
      var start = at;
      while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) at++;
      var word = text.substring(start, at);
      return switch (word) {
        case "null" -> null;
        case "true", "false" -> Boolean.valueOf(word);
        default -> Double.valueOf(word);
      };
    }

    private Map<String, Object> members() {
      Map<String, Object> members = new LinkedHashMap<>();
      at++;
      while (peek() != '}') {
        if (peek() == ',') at++;
        peek();
        var name = string();
        peek();
        at++; // the colon
        members.put(name, value());
      }
      at++;
      return members;
    }

    private List<Object> elements() {
      List<Object> elements = new ArrayList<>();
      at++;
      while (peek() != ']') {
        if (peek() == ',') at++;
        elements.add(value());
      }
      at++;
      return elements;
    }

    private String string() {
      var result = new StringBuilder();
      at++;
      while (text.charAt(at) != '"') {
        var next = text.charAt(at++);
        result.append(next == '\\' ? escaped() : next);
      }
      at++;
      return result.toString();
    }

    private char escaped() {
      var code = text.charAt(at++);
      if (code != 'u') return "\b\f\n\r\t\"\\/".charAt("bfnrt\"\\/".indexOf(code));
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    /** The next character that is no space. */
    private char peek() {
      while (Character.isWhitespace(text.charAt(at))) at++;
      return text.charAt(at);
    }
  }
}
