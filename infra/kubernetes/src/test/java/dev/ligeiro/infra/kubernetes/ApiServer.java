package dev.ligeiro.infra.kubernetes;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A kube-apiserver with an empty etcd, on loopback ports. No other part of Kubernetes runs: objects are validated, and nothing comes of
 * them. The programs are those that {@code LIGEIRO_KUBE_APISERVER} and {@code LIGEIRO_ETCD} name, else the first on the PATH or in the folder
 * of setup-envtest.
 */
final class ApiServer implements AutoCloseable {

    private static final Duration START_MAX = Duration.ofSeconds(120);
    private static final String TOKEN = UUID.randomUUID().toString();

    private final Path folder;
    private final List<Process> processes;
    private final String address;
    private final HttpClient client;

    private ApiServer(Path folder, List<Process> processes, String address, HttpClient client) {
        this.folder = folder;
        this.processes = processes;
        this.address = address;
        this.client = client;
    }

    /** Starts both programs. Without one of them, or without Go for the CRDs, the test class is skipped, and a line says so. */
    static ApiServer startOrSkip() throws IOException {
        Optional<Path> etcd = find("LIGEIRO_ETCD", "etcd");
        Optional<Path> apiServer = find("LIGEIRO_KUBE_APISERVER", "kube-apiserver");
        boolean found = etcd.isPresent()
                && apiServer.isPresent()
                && firstIn(System.getenv("PATH"), "go").isPresent();
        String none = "NO KUBE-APISERVER, NO ETCD OR NO GO on this machine: no server validates the manifests."
                + " Put go on the PATH, and set LIGEIRO_KUBE_APISERVER and LIGEIRO_ETCD.";
        if (!found) {
            System.err.println(none);
        }
        assumeTrue(found, none);
        return start(etcd.orElseThrow(), apiServer.orElseThrow());
    }

    /** Empty when the machine has none. A program that the environment names must exist. */
    private static Optional<Path> find(String variable, String name) {
        @Nullable String named = System.getenv(variable);
        if (named != null && !named.isBlank()) {
            if (!Files.isExecutable(Path.of(named))) {
                throw new IllegalStateException(variable + ": " + named + " (expected: the path of " + name + ")");
            }
            return Optional.of(Path.of(named));
        }
        return firstIn(System.getenv("PATH") + ":/usr/local/kubebuilder/bin", name);
    }

    private static Optional<Path> firstIn(String places, String name) {
        return Stream.of(places.split(":"))
                .map(place -> Path.of(place, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static ApiServer start(Path etcd, Path apiServer) throws IOException {
        Path folder = Files.createTempDirectory("apiserver");
        List<Process> processes = new CopyOnWriteArrayList<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> processes.forEach(Process::destroyForcibly)));
        try {
            Path tokens = folder.resolve("tokens");
            Files.writeString(tokens, TOKEN + ",admin,1,system:masters");
            Path key = folder.resolve("apiserver.key");
            String etcdAddress = "http://127.0.0.1:" + freePort();
            int port = freePort();
            processes.add(start(
                    folder.resolve("etcd.log"),
                    etcd.toString(),
                    "--unsafe-no-fsync",
                    "--data-dir=" + folder.resolve("etcd"),
                    "--listen-client-urls=" + etcdAddress,
                    "--advertise-client-urls=" + etcdAddress,
                    "--listen-peer-urls=http://127.0.0.1:0"));
            processes.add(start(
                    folder.resolve("apiserver.log"),
                    apiServer.toString(),
                    "--etcd-servers=" + etcdAddress,
                    "--bind-address=127.0.0.1",
                    "--secure-port=" + port,
                    "--cert-dir=" + folder,
                    "--token-auth-file=" + tokens,
                    "--endpoint-reconciler-type=none",
                    "--service-cluster-ip-range=10.0.0.0/24",
                    // Required. Nobody requests tokens, so the TLS key serves as signing key.
                    "--service-account-issuer=https://kubernetes",
                    "--service-account-key-file=" + key,
                    "--service-account-signing-key-file=" + key));
            // it is written after the certificate
            await().atMost(START_MAX).until(() -> areAlive(processes) && Files.exists(key));
            ApiServer server = new ApiServer(
                    folder, processes, "https://127.0.0.1:" + port, trusting(folder.resolve("apiserver.crt")));
            await().atMost(START_MAX).until(() -> areAlive(processes) && server.isReady());
            return server;
        } catch (RuntimeException | IOException e) {
            String logs = log(folder, "etcd.log") + log(folder, "apiserver.log");
            end(processes, folder);
            throw new IllegalStateException("no kube-apiserver: " + e.getMessage() + "\n" + logs, e);
        }
    }

    private static Process start(Path log, String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean areAlive(List<Process> processes) {
        if (!processes.stream().allMatch(Process::isAlive)) {
            throw new IllegalStateException("a program ended at its start");
        }
        return true;
    }

    /** Empty when its program has not been started. */
    private static String log(Path folder, String name) throws IOException {
        Path log = folder.resolve(name);
        return Files.exists(log) ? Files.readString(log) : "";
    }

    private static HttpClient trusting(Path certificates) throws IOException {
        try (InputStream in = Files.newInputStream(certificates)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("server" + trusted.size(), certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return HttpClient.newBuilder().sslContext(context).build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isReady() {
        try {
            return send(request("/readyz").build()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Stores a custom resource definition, and waits until its kind is served. */
    void define(JsonNode definition) throws IOException {
        HttpResponse<String> answer = send(request("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(definition.toString()))
                .build());
        if (answer.statusCode() != 201) {
            throw new IllegalStateException(Overlay.nameOf(definition) + ": " + answer.body());
        }
        JsonNode spec = definition.path("spec");
        String kind = spec.at("/names/kind").asString();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean()) {
                String apiVersion = spec.path("group").asString() + "/"
                        + version.path("name").asString();
                await().atMost(START_MAX).until(() -> resource(apiVersion, kind).isPresent());
            }
        }
    }

    /** Stores a manifest. */
    void apply(JsonNode manifest) throws IOException {
        List<String> faults = apply(manifest, "");
        if (!faults.isEmpty()) {
            throw new IllegalStateException(Overlay.nameOf(manifest) + ": " + faults);
        }
    }

    /** Why the server would refuse a manifest, and its warnings. Nothing is stored. */
    List<String> faults(JsonNode manifest) throws IOException {
        return apply(manifest, "&dryRun=All");
    }

    private List<String> apply(JsonNode manifest, String options) throws IOException {
        String apiVersion = manifest.path("apiVersion").asString();
        String kind = manifest.path("kind").asString();
        Optional<JsonNode> found = resource(apiVersion, kind);
        if (found.isEmpty()) {
            return List.of("the server has no " + kind + " of " + apiVersion);
        }
        JsonNode resource = found.get();
        String namespace = resource.path("namespaced").asBoolean()
                ? "/namespaces/" + manifest.at("/metadata/namespace").asString("default")
                : "";
        HttpResponse<String> answer = send(request(group(apiVersion) + namespace + "/"
                        + resource.path("name").asString() + "/" + Overlay.nameOf(manifest)
                        + "?fieldManager=ligeiro&fieldValidation=Strict&force=true" + options)
                .header("Content-Type", "application/apply-patch+yaml")
                .method("PATCH", BodyPublishers.ofString(manifest.toString()))
                .build());
        List<String> faults = new ArrayList<>(answer.headers().allValues("Warning"));
        if (answer.statusCode() / 100 != 2) {
            faults.add(Yaml.documents(answer.body()).get(0).path("message").asString());
        }
        return faults;
    }

    /** What the server says of a kind: the name in its address, and whether it belongs to a namespace. */
    private Optional<JsonNode> resource(String apiVersion, String kind) throws IOException {
        HttpResponse<String> answer = send(request(group(apiVersion)).build());
        if (answer.statusCode() == 404) {
            return Optional.empty();
        }
        return Yaml.documents(answer.body())
                .get(0)
                .path("resources")
                .valueStream()
                .filter(resource -> resource.path("kind").asString().equals(kind))
                .filter(resource -> !resource.path("name").asString().contains("/")) // such as deployments/scale
                .findFirst();
    }

    private static String group(String apiVersion) {
        return (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + path))
                .timeout(START_MAX)
                .header("Authorization", "Bearer " + TOKEN);
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        end(processes, folder);
    }

    /** Kills both programs and deletes their folder. */
    private static void end(List<Process> processes, Path folder) throws IOException {
        processes.forEach(process -> process.destroyForcibly().onExit().join());
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
