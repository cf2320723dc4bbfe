package dev.ligeiro.infra.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contents of {@code demo.env}: addresses, credentials and pids of the running system, for scripts.
 *
 * <p>Scripts depend on the file's format: one shell assignment a line, with fixed names; the pids of a service quoted and separated
 * by a space; one pid of a broker without quotes, several with quotes, none for an external broker.
 */
public record DemoEnv(
        String baseUrl,
        String adminUrl,
        String consoleUrl,
        String adminToken,
        String apiKey,
        String platformId,
        String webhookSecret,
        String mongodbUri,
        String kafkaBootstrapServers,
        Pids pids,
        @Nullable Live live) {

    private static final Pattern NEEDS_NO_QUOTES = Pattern.compile("[A-Za-z0-9_./:@%+,=?-]*");
    private static final Pattern SPECIAL_IN_QUOTES = Pattern.compile("[\"\\\\$`]");
    private static final Pattern ESCAPED_IN_QUOTES = Pattern.compile("\\\\([\"\\\\$`])");

    /** The pids of the system's processes. {@code mongod} and {@code kafka} are empty when the broker is an external one. */
    public record Pids(
            List<Long> gateway,
            List<Long> processor,
            List<Long> webhookDispatcher,
            List<Long> desk,
            List<Long> mongod,
            List<Long> kafka) {

        public Pids {
            gateway = List.copyOf(gateway);
            processor = List.copyOf(processor);
            webhookDispatcher = List.copyOf(webhookDispatcher);
            desk = List.copyOf(desk);
            mongod = List.copyOf(mongod);
            kafka = List.copyOf(kafka);
        }

        public List<Long> all() {
            return Stream.of(gateway, processor, webhookDispatcher, desk, mongod, kafka)
                    .flatMap(List::stream)
                    .toList();
        }
    }

    /**
     * Live mode, and the bank that it leads to: only with {@code --bank}.
     *
     * @param bankCert the PEM file of the certificate of the bank's customer
     * @param bankControlUrl where payers pay
     */
    public record Live(
            String apiKey,
            String platformId,
            String bankUrl,
            String bankCa,
            String bankCert,
            String bankKey,
            String bankClientId,
            String bankClientSecret,
            String bankPixKey,
            String bankControlUrl) {

        private static Live of(Map<String, String> values) {
            return new Live(
                    required(values, "LIVE_API_KEY"),
                    required(values, "LIVE_PLATFORM_ID"),
                    required(values, "BANK_URL"),
                    required(values, "BANK_CA"),
                    required(values, "BANK_CERT"),
                    required(values, "BANK_KEY"),
                    required(values, "BANK_CLIENT_ID"),
                    required(values, "BANK_CLIENT_SECRET"),
                    required(values, "BANK_PIX_KEY"),
                    required(values, "BANK_CONTROL_URL"));
        }

        private String render() {
            return """
                    LIVE_API_KEY=%s
                    LIVE_PLATFORM_ID=%s
                    BANK_URL=%s
                    BANK_CA=%s
                    BANK_CERT=%s
                    BANK_KEY=%s
                    BANK_CLIENT_ID=%s
                    BANK_CLIENT_SECRET=%s
                    BANK_PIX_KEY=%s
                    BANK_CONTROL_URL=%s
                    """
                    .formatted(
                            quoted(apiKey),
                            quoted(platformId),
                            quoted(bankUrl),
                            quoted(bankCa),
                            quoted(bankCert),
                            quoted(bankKey),
                            quoted(bankClientId),
                            quoted(bankClientSecret),
                            quoted(bankPixKey),
                            quoted(bankControlUrl));
        }

        /** Without the API key and the secret. */
        @Override
        public String toString() {
            return "Live[" + bankUrl + "]";
        }
    }

    /**
     * @throws UncheckedIOException when the file cannot be read
     * @throws IllegalArgumentException when a variable is missing; the message names it
     */
    public static DemoEnv read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    /** @throws IllegalArgumentException when a variable is missing; the message names it */
    public static DemoEnv parse(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines()
                .map(line -> line.split("=", 2))
                .filter(parts -> parts.length == 2)
                .forEach(parts -> values.put(parts[0], unquoted(parts[1])));
        return new DemoEnv(
                required(values, "BASE_URL"),
                required(values, "ADMIN_URL"),
                required(values, "CONSOLE_URL"),
                required(values, "ADMIN_TOKEN"),
                required(values, "API_KEY"),
                required(values, "PLATFORM_ID"),
                required(values, "WEBHOOK_SECRET"),
                required(values, "MONGODB_URI"),
                required(values, "KAFKA_BOOTSTRAP_SERVERS"),
                new Pids(
                        pids(values, "GATEWAY_PID"),
                        pids(values, "PROCESSOR_PID"),
                        pids(values, "WEBHOOK_DISPATCHER_PID"),
                        pids(values, "DESK_PID"),
                        pids(values, "MONGOD_PID"),
                        pids(values, "KAFKA_PID")),
                values.containsKey("LIVE_API_KEY") ? Live.of(values) : null);
    }

    /** The text of the file. */
    public String render() {
        String text =
                """
                BASE_URL=%s
                ADMIN_URL=%s
                CONSOLE_URL=%s
                ADMIN_TOKEN=%s
                API_KEY=%s
                PLATFORM_ID=%s
                WEBHOOK_SECRET=%s
                MONGODB_URI=%s
                KAFKA_BOOTSTRAP_SERVERS=%s
                GATEWAY_PID="%s"
                PROCESSOR_PID="%s"
                WEBHOOK_DISPATCHER_PID="%s"
                DESK_PID="%s"
                MONGOD_PID=%s
                KAFKA_PID=%s
                """
                        .formatted(
                                quoted(baseUrl),
                                quoted(adminUrl),
                                quoted(consoleUrl),
                                quoted(adminToken),
                                quoted(apiKey),
                                quoted(platformId),
                                quoted(webhookSecret),
                                quoted(mongodbUri),
                                quoted(kafkaBootstrapServers),
                                listed(pids.gateway()),
                                listed(pids.processor()),
                                listed(pids.webhookDispatcher()),
                                listed(pids.desk()),
                                quoted(listed(pids.mongod())),
                                quoted(listed(pids.kafka())));
        return live == null ? text : text + live.render();
    }

    /** The value in the quotes that a POSIX shell needs; without quotes when it has no special characters. */
    public static String quoted(String value) {
        return NEEDS_NO_QUOTES.matcher(value).matches()
                ? value
                : '"' + SPECIAL_IN_QUOTES.matcher(value).replaceAll("\\\\$0") + '"';
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted
                ? ESCAPED_IN_QUOTES
                        .matcher(value.substring(1, value.length() - 1))
                        .replaceAll("$1")
                : value;
    }

    private static String required(Map<String, String> values, String name) {
        String value = values.getOrDefault(name, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException("demo.env: " + name + " is missing");
        }
        return value;
    }

    private static List<Long> pids(Map<String, String> values, String name) {
        return Arrays.stream(values.getOrDefault(name, "").split(" "))
                .filter(pid -> !pid.isEmpty())
                .map(Long::valueOf)
                .toList();
    }

    private static String listed(List<Long> pids) {
        return pids.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** Without the API key, the token and the secret. */
    @Override
    public String toString() {
        return "DemoEnv[" + baseUrl + "]";
    }
}
