package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ligeiro.infra.brokers.ProjectRoot;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.testing.packages.PackageFolder;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that the commands of the guide generate from {@code /openapi.json}. A program with each creates a cashin, pays it, lists it and reads
 * the body of a webhook; then it asks a newer gateway, whose statuses, codes and members it does not know.
 */
@Order(3)
@Timeout(900) // the first nightly run downloads compilers and linters
class GeneratedClientsIT {

    private static final Path SOURCES = Path.of("src/test/resources/clients").toAbsolutePath();

    /** The generator, which has most of what its Java client needs, and the rest of that. Maven copies them. */
    private static final Path JARS = Path.of("target/generator").toAbsolutePath();

    private static final Path TOOLCHAINS =
            ProjectRoot.find().resolve("webhook-dispatcher/src/test/resources/receivers/toolchains.txt");
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final Duration SOON = Duration.ofSeconds(120);

    private final EndToEndMerchant merchant = SharedSystem.running().newMerchant();
    private final Api api = merchant.api();
    private final Path folder;
    private final Path webhook;
    private final HttpServer newerGateway;

    GeneratedClientsIT(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.webhook = Files.writeString(folder.resolve("webhook.json"), bodyOfAWebhook());
        this.newerGateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        newerGateway.createContext("/", this::answerWithNewValues);
        newerGateway.start();
    }

    private String bodyOfAWebhook() {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            api.post(MerchantApi.WEBHOOKS_PATH, Map.of("url", receiver.url("/")))
                    .expect(201);
            merchant.pay(merchant.createCashin(merchant.cashin("10.00")).id());
            await().atMost(SOON).until(() -> !receiver.received("/").isEmpty());
            return receiver.received("/").get(0).body();
        }
    }

    @AfterEach
    void stop() {
        newerGateway.stop(0);
    }

    /** Shows transactions with a status of its own, and refuses all else with a code of its own. */
    private void answerWithNewValues(HttpExchange exchange) throws IOException {
        boolean isRead = exchange.getRequestMethod().equals("GET");
        String body = isRead
                ? api.get(exchange.getRequestURI().getPath())
                        .expect(200)
                        .body()
                        .replace("\"status\":\"paid\"", "\"status\":\"disputed\",\"new_member\":{\"of\":[1]}")
                : """
                    {"type": "urn:ligeiro:problem:a_new_code", "title": "New", "status": 409, "detail": "New", "instance": "/",
                     "code": "a_new_code", "request_id": "1", "new_member": {"of": [1]}}""";
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", isRead ? "application/json" : "application/problem+json");
        exchange.sendResponseHeaders(isRead ? 200 : 409, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Test
    void java() throws IOException {
        generate("java");
        String classPath = String.join(":", filesBelow(JARS, ".jar"));
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-XDcompilePolicy=simple"));
        arguments.addAll(
                List.of("-cp", classPath, "-d", folder.resolve("classes").toString()));
        arguments.addAll(filesBelow(folder.resolve("ligeiro/src/main"), ".java"));
        arguments.add(SOURCES.resolve("Client.java").toString());

        int exitCode = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));

        assertThat(exitCode).isZero();
        assertUsed(
                "java", JAVA, "-XX:TieredStopAtLevel=1", "-cp", folder.resolve("classes") + ":" + classPath, "Client");
    }

    @Test
    @Tag("nightly")
    void go() throws IOException {
        generate("go");
        copy("go.mod", "main.go");
        PackageFolder packages = packages();
        Map<String, String> environment = Map.of(
                "GOCACHE", packages.path().resolve("go-cache").toString(),
                "GOPATH", packages.path().resolve("go-path").toString(),
                "GOENV", "off",
                "GOFLAGS", "-mod=mod",
                "GOPROXY", "off",
                "GOROOT", "",
                "GOTOOLCHAIN", "local",
                "CGO_ENABLED", "0");
        String program = packages.python().resolve("go/bin/go").toString();
        PackageFolder.run(List.of(program, "build", "-gcflags=all=-N -l", "-o", "client", "."), folder, environment);
        assertUsed("go", folder.resolve("client").toString());
    }

    @Test
    @Tag("nightly")
    void python() throws IOException {
        generate("python");
        copy("client.py");
        run("python3 -m pip install --quiet --disable-pip-version-check --only-binary :all: --target libraries"
                + " --requirement ligeiro/requirements.txt");
        assertUsed("python", "env", "PYTHONPATH=ligeiro:libraries", "python3", "client.py");
    }

    @Test
    @Tag("nightly")
    void typeScriptWithFetch() throws IOException {
        generate("typescript-fetch");
        compileAndUse("fetch");
    }

    @Test
    @Tag("nightly")
    void typeScriptWithAxios() throws IOException {
        generate(commandFor("typescript-fetch").replace("-fetch", "-axios"), "typescript-axios");
        compileAndUse("axios");
    }

    private void compileAndUse(String name) throws IOException {
        copy("package.json", name + ".ts");
        PackageFolder packages = packages();
        linkNodeModules(packages);
        PackageFolder.run(
                List.of(
                        packages.node().toString(),
                        "node_modules/typescript/bin/tsc",
                        "--strict",
                        "--target",
                        "es2022",
                        "--module",
                        "nodenext",
                        "--types",
                        "node",
                        name + ".ts"),
                folder,
                Map.of());
        assertUsed(name, packages.node().toString(), name + ".js");
    }

    @Test
    @Tag("nightly")
    void php() throws IOException {
        String none = "NO PHP WITH GUZZLE on this machine: a generated client of PHP is not tested."
                + " Install php-cli, php-curl, php-mbstring and php-guzzlehttp-guzzle.";
        boolean isThere =
                new ProcessBuilder("bash", "-c", "php -r \"require 'GuzzleHttp/autoload.php';\" > /dev/null 2>&1")
                                .start()
                                .onExit()
                                .join()
                                .exitValue()
                        == 0;
        if (!isThere) {
            System.err.println(none);
        }
        assumeTrue(isThere, none);
        generate("php");
        copy("client.php");
        assertUsed("php", "php", "client.php");
    }

    /** Redocly runs with the rules that it recommends; what Spectral leaves out says spectral.yaml. */
    @Test
    @Tag("nightly")
    void lintersFindNothing() throws IOException {
        String address = api.baseUrl();
        // a linter refuses a server of the name localhost
        Files.writeString(
                folder.resolve("openapi.json"),
                api.get("/openapi.json").expect(200).body().replace(address, "https://pix.merchant.test"));
        copy("spectral.yaml");
        PackageFolder packages = packages();
        linkNodeModules(packages);

        String redocly = node(packages, "@redocly/cli/bin/cli.js lint openapi.json");
        assertThat(redocly).contains("Your API description is valid").doesNotContain("warning", "error");
        assertThat(
                        node(
                                packages,
                                "@stoplight/spectral-cli/dist/index.js lint --fail-severity hint -r spectral.yaml openapi.json"))
                .contains("No results with a severity of 'hint' or higher found!");
    }

    private String node(PackageFolder packages, String module) throws IOException {
        List<String> command = new ArrayList<>(List.of(packages.node().toString()));
        command.addAll(List.of(("node_modules/" + module).split(" ")));
        return PackageFolder.run(
                command, folder, Map.of("REDOCLY_TELEMETRY", "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE", "true"));
    }

    /** The compilers of Go and TypeScript, Node.js and the linters. */
    private static PackageFolder packages() throws IOException {
        return PackageFolder.of("generated-clients", List.of(TOOLCHAINS), SOURCES);
    }

    private void linkNodeModules(PackageFolder packages) throws IOException {
        Files.createSymbolicLink(
                folder.resolve("node_modules"), packages.nodeFolder().resolve("node_modules"));
    }

    private void generate(String generator) throws IOException {
        generate(commandFor(generator), generator);
    }

    private void generate(String command, String generator) throws IOException {
        assertThat(command).as(generator).startsWith("openapi-generator-cli generate ");
        List<String> jars = filesBelow(JARS, ".jar").stream()
                .filter(jar -> jar.contains("openapi-generator-cli"))
                .toList();
        assertThat(jars).hasSize(1);
        String program = JAVA + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar " + jars.get(0);
        run(command.replaceFirst("openapi-generator-cli", Matcher.quoteReplacement(program))
                + " --global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false");
    }

    /** The guide's command for the generator. */
    private String commandFor(String generator) {
        String guide = api.get("/docs.md").expect(200).body();
        return Pattern.compile("^openapi-generator-cli .* -g " + generator + "\\b.*$", Pattern.MULTILINE)
                .matcher(guide)
                .results()
                .map(found -> found.group())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no command for " + generator + " in " + guide));
    }

    private void run(String command) throws IOException {
        PackageFolder.run(List.of("bash", "-c", command), folder, Map.of("BASE_URL", api.baseUrl()));
    }

    private void copy(String... names) throws IOException {
        for (String name : names) {
            Files.copy(SOURCES.resolve(name), folder.resolve(name));
        }
    }

    private static List<String> filesBelow(Path top, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(top)) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    private void assertUsed(String reference, String... program) throws IOException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(
                api.baseUrl(),
                Objects.requireNonNull(api.token()),
                merchant.calls().platformId()));
        command.addAll(List.of(
                webhook.toString(),
                "http://127.0.0.1:" + newerGateway.getAddress().getPort()));
        assertThat(PackageFolder.run(command, folder, Map.of()))
                .isEqualTo(
                        """
                        created 150.75 pending
                        shown paid
                        listed 1 %s
                        webhook transaction.paid pending paid
                        newer disputed
                        newer 409 a_new_code
                        """
                                .formatted(reference));
    }
}
