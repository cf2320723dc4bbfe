package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The bank of {@code --bank}: a process of {@code infra/bank} that knows nothing of Ligeiro, and what the processors need as its
 * customer. It makes its certificates when it starts for the first time, so it starts before the services.
 *
 * @param home the bank's folder, with certificates, ledger and the customer's secret
 * @param log of its output
 */
record DemoBank(Path home, Path log, int port, String clientSecret) implements LocalProcess {

    /** The name of the rail that leads to it. */
    static final String RAIL = "bank";

    static final String CLIENT_ID = "ligeiro";

    /** Of the bank's own certificate, with which it sends notices. That of its customer has the same CA and the same host names. */
    private static final String CERTIFICATE_SUBJECT = "CN=bank";

    /** Random; the only one of the bank's customer. */
    static final String PIX_KEY = "0b8f5f4e-3a52-4d0e-9b61-0f6c1c2a7d35";

    /** The calls of its customer that the bank answers at once. Who sets BANK_CALLS_AT_ONCE sets LIGEIRO_RAILS_BANK_CALLS_AT_ONCE too. */
    private static final int CALLS_AT_ONCE = 20;

    /** It keeps everything that it knows in memory. */
    private static final List<String> JVM_OPTIONS =
            List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");

    @Override
    public String name() {
        return "bank";
    }

    @Override
    public ChildProcess spawn() {
        Ports.requireFree(name(), port);
        Ports.requireFree(name(), controlPort());
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.ligeiro.infra.bank.Bank"));
        Map<String, String> settings = Map.of(
                "BANK_HOME", home.toString(),
                "BANK_PORT", Integer.toString(port),
                "BANK_CONTROL_PORT", Integer.toString(controlPort()),
                "BANK_CLIENT_ID", CLIENT_ID,
                "BANK_PIX_KEY", PIX_KEY);
        return ChildProcess.spawn(name(), ChildProcess.withLowerPriority(command), settings, log);
    }

    /** The control port is opened last. */
    @Override
    public boolean ready() {
        return Ports.answers(controlPort());
    }

    private int controlPort() {
        return port + 1;
    }

    String url() {
        return "https://localhost:" + port;
    }

    String controlUrl() {
        return "http://127.0.0.1:" + controlPort();
    }

    Path ca() {
        return home.resolve("ca.pem");
    }

    /** The customer's certificate. It is for both ends of a connection. */
    Path certificate() {
        return home.resolve(CLIENT_ID + ".pem");
    }

    Path key() {
        return home.resolve(CLIENT_ID + ".key");
    }

    /**
     * The processors' settings of their account at the bank.
     *
     * @param noticePort where the bank sends its notices
     * @param processors share the calls that the bank answers at once
     */
    Map<String, String> account(int noticePort, int processors) {
        Map<String, String> settings = new HashMap<>();
        settings.put("LIGEIRO_RAILS_BANK_KIND", "efi");
        settings.put("LIGEIRO_RAILS_BANK_BASE_URL", url());
        settings.put("LIGEIRO_RAILS_BANK_TOKEN_URL", url() + "/oauth/token");
        settings.put("LIGEIRO_RAILS_BANK_TOKEN_REQUEST", "json");
        settings.put("LIGEIRO_RAILS_BANK_CLIENT_ID", CLIENT_ID);
        settings.put("LIGEIRO_RAILS_BANK_CLIENT_SECRET", clientSecret);
        settings.put("LIGEIRO_RAILS_BANK_RECEIVER_KEY", PIX_KEY);
        settings.put("LIGEIRO_RAILS_BANK_NOTICE_URL", "https://localhost:%d/%s".formatted(noticePort, RAIL));
        settings.put("LIGEIRO_RAILS_BANK_NOTICE_SENDERS", CERTIFICATE_SUBJECT);
        settings.put("LIGEIRO_RAILS_BANK_CALLS_AT_ONCE", Integer.toString(Math.max(1, CALLS_AT_ONCE / processors)));
        settings.put("LIGEIRO_RAILS_BANK_CLAIMS", "true");
        settings.put("LIGEIRO_RAILS_BANK_SSL_BUNDLE", RAIL);
        settings.put("LIGEIRO_NOTICES_SSL_BUNDLE", RAIL);
        String bundle = "SPRING_SSL_BUNDLE_PEM_BANK_";
        settings.put(bundle + "KEYSTORE_CERTIFICATE", certificate().toUri().toString());
        settings.put(bundle + "KEYSTORE_PRIVATE_KEY", key().toUri().toString());
        settings.put(bundle + "TRUSTSTORE_CERTIFICATE", ca().toUri().toString());
        settings.put(bundle + "RELOAD_ON_UPDATE", "true");
        return settings;
    }

    /** Whether the bank has given payload locations for cashins, and knows where its notices go: without it, it sends no cashouts. */
    static boolean isConnected(List<ServiceProcess> services) {
        return Stream.of("ligeiro.rail.locations.level", "ligeiro.rail.requests?tag=request:notice_url&tag=status:200")
                .allMatch(metric -> services.stream().anyMatch(service -> service.shows(metric)));
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "DemoBank[" + url() + "]";
    }
}
