package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.brokers.ProjectRoot;
import dev.ligeiro.testing.packages.PackageFolder;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.SigningSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The receivers in {@code infra/receiver}, which merchants copy, with webhooks that the dispatcher has signed. In each language except
 * Go there is a second one that verifies with the official library of Standard Webhooks: both must decide the same.
 */
@Timeout(900) // the first run downloads Node.js and Go
@Tag("nightly")
class ReceiversIT {

    private static final Path FOLDER = ProjectRoot.find().resolve("infra/receiver");
    private static final UUID ENDPOINT_ID = UUID.fromString("019cd000-0000-7abc-9def-0123456789ab");
    private static final byte[] BODY =
            "{\"type\":\"transaction.paid\",\"data\":{\"description\":\"é 😀\"}}\n".getBytes(StandardCharsets.UTF_8);
    private static final List<RunningReceiver> RECEIVERS = new ArrayList<>();
    private static final List<RunningReceiver> WITHOUT_SECRET = new ArrayList<>();

    private final SignedHeaders signedHeaders = new SignedHeaders(Endpoints.KEYS);
    private final Instant now = Instant.now();
    private final String id = UUID.randomUUID().toString();

    @BeforeAll
    static void start(@TempDir Path temporary) throws Exception {
        PackageFolder packages = PackageFolder.of(
                "receivers",
                List.of(
                        Path.of("src/test/resources/receivers/toolchains.txt").toAbsolutePath(),
                        FOLDER.resolve("python/requirements.txt")),
                FOLDER.resolve("node"));
        startPython(packages, temporary);
        startNode(packages, temporary);
        startGo(packages, temporary);
        startJava(temporary);
        RECEIVERS.forEach(RunningReceiver::awaitReady);
        WITHOUT_SECRET.forEach(RunningReceiver::awaitReady);
    }

    private static void startPython(PackageFolder packages, Path temporary) {
        Map<String, String> environment =
                Map.of("PYTHONPATH", packages.python().toString(), "PYTHONDONTWRITEBYTECODE", "1");
        for (String name : List.of("receiver.py", "with_library.py")) {
            String program = FOLDER.resolve("python").resolve(name).toString();
            start(name, List.of("python3", program), environment, temporary);
        }
    }

    /** In a folder with node_modules, where {@code npm ci} puts the library. */
    private static void startNode(PackageFolder packages, Path temporary) throws IOException {
        Path folder = Files.createDirectory(temporary.resolve("node"));
        Files.createSymbolicLink(
                folder.resolve("node_modules"), packages.nodeFolder().resolve("node_modules"));
        for (String name : List.of("receiver.mjs", "with-library.mjs")) {
            Files.copy(FOLDER.resolve("node").resolve(name), folder.resolve(name));
            List<String> program =
                    List.of(packages.node().toString(), folder.resolve(name).toString());
            start(name, program, Map.of(), temporary);
        }
    }

    private static void startGo(PackageFolder packages, Path temporary) throws IOException {
        Path program = temporary.resolve("go-receiver");
        buildGo(packages.path(), FOLDER.resolve("go/receiver.go"), program);
        start("receiver.go", List.of(program.toString()), Map.of(), temporary);
    }

    /**
     * The first build compiles Go's standard library too: 21 s of CPU without optimisation, 35 s with it (2026-11-22, go 1.27.3). A later
     * one takes 0.5 s, since the results stay in the cache folder.
     */
    private static void buildGo(Path folder, Path source, Path program) throws IOException {
        Map<String, String> environment = Map.of(
                "GOCACHE", folder.resolve("go-cache").toString(),
                "GOPATH", folder.resolve("go-path").toString(),
                "GOENV", "off",
                "GOFLAGS", "",
                "GOPROXY", "off",
                "GOROOT", "",
                "GOTOOLCHAIN", "local",
                "CGO_ENABLED", "0");
        String go = folder.resolve("python/go/bin/go").toString();
        PackageFolder.run(
                List.of(go, "build", "-gcflags=all=-N -l", "-o", program.toString(), source.toString()),
                folder,
                environment);
    }

    private static void startJava(Path temporary) throws URISyntaxException {
        Path classes = temporary.resolve("classes");
        Path library = Path.of(Webhook.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        int exitCode = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-Xlint:all",
                        "-Werror",
                        "-classpath",
                        library.toString(),
                        "-d",
                        classes.toString(),
                        FOLDER.resolve("java/Receiver.java").toString(),
                        FOLDER.resolve("java/WithLibrary.java").toString());
        assertThat(exitCode).isZero();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        for (String name : List.of("Receiver", "WithLibrary")) {
            start(name, List.of(java, "-cp", classes + ":" + library, name), Map.of(), temporary);
        }
    }

    private static void start(String name, List<String> program, Map<String, String> environment, Path temporary) {
        RECEIVERS.add(started(name, program, environment, Endpoints.SECRET.text(), temporary));
        if (!name.toLowerCase(Locale.ROOT).startsWith("with")) {
            WITHOUT_SECRET.add(started(name + "-without-secret", program, environment, "whsec_", temporary));
        }
    }

    private static RunningReceiver started(
            String name, List<String> program, Map<String, String> environment, String secret, Path temporary) {
        Map<String, String> withSecret = new HashMap<>(environment);
        withSecret.put("WEBHOOK_SECRET", secret);
        return RunningReceiver.start(name, program, List.of(), withSecret, temporary);
    }

    @AfterAll
    static void kill() {
        for (List<RunningReceiver> started : List.of(RECEIVERS, WITHOUT_SECRET)) {
            started.forEach(RunningReceiver::kill);
            started.clear();
        }
    }

    static Stream<RunningReceiver> receivers() {
        return RECEIVERS.stream();
    }

    static Stream<RunningReceiver> receiversWithoutSecret() {
        return WITHOUT_SECRET.stream();
    }

    @ParameterizedTest
    @MethodSource("receivers")
    void storesAWebhookOnce(RunningReceiver receiver) throws Exception {
        Map<String, String> first = signed(now, Endpoints.SECRET);
        Map<String, String> retry = signed(now.plusSeconds(5), Endpoints.SECRET);

        assertThat(receiver.post(first, BODY)).isEqualTo(204);
        assertThat(receiver.post(retry, BODY)).isEqualTo(204);
        assertThat(receiver.output()).containsOnlyOnce("stored: " + id).containsOnlyOnce("repeated: " + id);
    }

    @ParameterizedTest
    @MethodSource("receivers")
    void acceptsEitherSecretDuringARotation(RunningReceiver receiver) throws Exception {
        SigningSecret other = SigningSecret.random();

        assertThat(receiver.post(signed(now, Endpoints.SECRET, other), BODY)).isEqualTo(204);
        assertThat(receiver.post(signed(now, other, Endpoints.SECRET), BODY)).isEqualTo(204);
    }

    @ParameterizedTest
    @MethodSource("receivers")
    void acceptsSignaturesOfLaterSchemesBesideIts(RunningReceiver receiver) throws Exception {
        Map<String, String> headers = signed(now, Endpoints.SECRET);
        String signature = headers.getOrDefault("webhook-signature", "");

        assertThat(receiver.post(with(headers, "webhook-signature", "v1a,AAAA " + signature), BODY))
                .isEqualTo(204);
    }

    @ParameterizedTest
    @MethodSource("receivers")
    void acceptsAWebhookOfFourMinutesAgo(RunningReceiver receiver) throws Exception {
        assertThat(receiver.post(signed(now.minus(Duration.ofMinutes(4)), Endpoints.SECRET), BODY))
                .isEqualTo(204);
    }

    @ParameterizedTest
    @MethodSource("receivers")
    void refusesAChangedBody(RunningReceiver receiver) throws Exception {
        byte[] withoutLastByte = Arrays.copyOf(BODY, BODY.length - 1);

        assertThat(receiver.post(signed(now, Endpoints.SECRET), withoutLastByte))
                .isEqualTo(400);
    }

    @ParameterizedTest
    @MethodSource("receivers")
    void refusesAnotherSecret(RunningReceiver receiver) throws Exception {
        assertThat(receiver.post(signed(now, SigningSecret.random()), BODY)).isEqualTo(400);
        assertThat(receiver.post(signed(now, SigningSecret.random(), SigningSecret.random()), BODY))
                .isEqualTo(400);
    }

    /** HMAC pads its key with zero bytes, so a zero byte stands for the empty key, which Java does not take. */
    @ParameterizedTest
    @MethodSource("receiversWithoutSecret")
    void withoutASecretItRefusesWhatAnybodyCanSign(RunningReceiver receiver) throws Exception {
        String timestamp = Long.toString(now.getEpochSecond());
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(new byte[1], "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        String signature = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(BODY));
        Map<String, String> forged =
                Map.of("webhook-id", id, "webhook-timestamp", timestamp, "webhook-signature", signature);

        assertThat(receiver.post(forged, BODY)).isEqualTo(400);
        assertThat(receiver.output()).contains("the receiver's secret is not whsec_");
    }

    @ParameterizedTest
    @MethodSource("receivers")
    void refusesAWebhookMoreThanFiveMinutesFromItsClock(RunningReceiver receiver) throws Exception {
        Duration sixMinutes = Duration.ofMinutes(6);

        assertThat(receiver.post(signed(now.minus(sixMinutes), Endpoints.SECRET), BODY))
                .isEqualTo(400);
        assertThat(receiver.post(signed(now.plus(sixMinutes), Endpoints.SECRET), BODY))
                .isEqualTo(400);
    }

    @ParameterizedTest
    @MethodSource("receivers")
    void refusesChangedAndMissingHeaders(RunningReceiver receiver) throws Exception {
        Map<String, String> headers = signed(now, Endpoints.SECRET);
        String signature = headers.getOrDefault("webhook-signature", "");
        String laterSecond = Long.toString(now.getEpochSecond() + 1);
        List<Map<String, String>> changed = List.of(
                with(headers, "webhook-id", "another"),
                with(headers, "webhook-timestamp", laterSecond),
                with(headers, "webhook-timestamp", "now"),
                with(headers, "webhook-timestamp", "9".repeat(1000)),
                with(headers, "webhook-signature", signature.replace("v1,", "v1a,")),
                with(headers, "webhook-signature", signature.replace("v1,", "")),
                with(headers, "webhook-signature", "v1,"),
                with(headers, "webhook-signature", "v1,é"),
                without(headers, "webhook-id"),
                without(headers, "webhook-timestamp"),
                without(headers, "webhook-signature"));

        for (Map<String, String> each : changed) {
            assertThat(receiver.post(each, BODY)).as("%s", each).isEqualTo(400);
        }
        assertThat(receiver.output()).doesNotContain("stored: " + id);
    }

    @Test
    void theDemoReceiverSaysWhetherASignatureIsValid(@TempDir Path folder) throws Exception {
        List<String> program = List.of("python3", FOLDER.toString());
        List<String> secrets = List.of("--secret", SigningSecret.random().text(), "--secret", Endpoints.SECRET.text());
        RunningReceiver receiver = RunningReceiver.start("infra-receiver", program, secrets, Map.of(), folder);
        try {
            receiver.awaitReady();
            receiver.post(signed(now, Endpoints.SECRET), BODY);
            assertThat(receiver.output()).endsWith("\nverified\n");
            receiver.post(signed(now, SigningSecret.random()), BODY);
            assertThat(receiver.output())
                    .endsWith("\nnot verified: no signature in webhook-signature fits the secret\n");
            receiver.post(signed(now.minus(Duration.ofMinutes(6)), Endpoints.SECRET), BODY);
            assertThat(receiver.output())
                    .endsWith("\nnot verified: webhook-timestamp is missing or more than 5 minutes off\n");
        } finally {
            receiver.kill();
        }
    }

    @Test
    void theDemoReceiverReadsTheSecretOfTheDemoMerchant(@TempDir Path folder) throws Exception {
        List<String> program = List.of("python3", FOLDER.toString());
        List<String> home = List.of("--home", folder.toString());
        RunningReceiver receiver = RunningReceiver.start("infra-receiver", program, home, Map.of(), folder);
        try {
            receiver.awaitReady();
            receiver.post(signed(now, Endpoints.SECRET), BODY);
            assertThat(receiver.output()).contains("\nnot verified: no secret is known");
            String secret = "API_KEY=sk\nWEBHOOK_SECRET=%s\nGATEWAY_PID=\"1\"\n".formatted(Endpoints.SECRET.text());
            Files.writeString(folder.resolve("demo.env"), secret);
            receiver.post(signed(now, Endpoints.SECRET), BODY);
            assertThat(receiver.output()).endsWith("\nverified\n");
        } finally {
            receiver.kill();
        }
    }

    /** The headers that the dispatcher sends at {@code at} for an endpoint with these secrets. */
    private Map<String, String> signed(Instant at, SigningSecret... secrets) {
        List<EndpointSecret> encrypted = Stream.of(secrets)
                .map(secret -> new EndpointSecret(
                        Endpoints.KEYS.encrypt(ENDPOINT_ID, secret), secret == secrets[0] ? null : at.plusSeconds(1)))
                .toList();
        WebhookEndpoint endpoint = Endpoints.withSecrets(
                Endpoints.endpoint(ENDPOINT_ID, Transactions.TENANT, "https://merchant.example/hook"), encrypted);
        return signedHeaders.of(endpoint, id, at, BODY);
    }

    private static Map<String, String> with(Map<String, String> headers, String name, String value) {
        Map<String, String> changed = new HashMap<>(headers);
        changed.put(name, value);
        return changed;
    }

    private static Map<String, String> without(Map<String, String> headers, String name) {
        Map<String, String> changed = new HashMap<>(headers);
        changed.remove(name);
        return changed;
    }
}
