package dev.ligeiro.infra.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The contents of {@code demo.env}: addresses, credentials and pids of the running system, for scripts. With {@code --bank} it also has
 * those of live mode, which leads to the bank; with {@code --secure} those files that clients of the brokers need. An accessor throws an
 * {@link IllegalArgumentException} that names a missing variable.
 *
 * <p>Scripts depend on the file's format: one shell assignment a line, with fixed names; the pids of a service quoted and separated
 * by a space; one pid of a broker without quotes, several with quotes, none for an external broker.
 *
 * @param values the variables in the order of the file
 */
public record DemoEnv(Map<String, String> values) {

    private static final Pattern NEEDS_NO_QUOTES = Pattern.compile("[A-Za-z0-9_./:@%+,=?-]*");
    private static final Pattern SPECIAL_IN_QUOTES = Pattern.compile("[\"\\\\$`]");
    private static final Pattern ESCAPED_IN_QUOTES = Pattern.compile("\\\\([\"\\\\$`])");
    private static final Set<String> ALWAYS_QUOTED =
            Set.of("GATEWAY_PID", "PROCESSOR_PID", "WEBHOOK_DISPATCHER_PID", "DESK_PID");

    /** The pids of the system's processes. {@code mongod} and {@code kafka} are empty when the broker is an external one. */
    public record Pids(
            List<Long> gateway,
            List<Long> processor,
            List<Long> webhookDispatcher,
            List<Long> desk,
            List<Long> mongod,
            List<Long> kafka) {

        public List<Long> all() {
            return Stream.of(gateway, processor, webhookDispatcher, desk, mongod, kafka)
                    .flatMap(List::stream)
                    .toList();
        }
    }

    public DemoEnv {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** @throws UncheckedIOException when the file cannot be read */
    public static DemoEnv read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    static DemoEnv parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        text.lines()
                .map(line -> line.split("=", 2))
                .filter(parts -> parts.length == 2)
                .forEach(parts -> values.put(parts[0], unquoted(parts[1])));
        return new DemoEnv(values);
    }

    /** The text of the file. */
    public String render() {
        return values.entrySet().stream()
                .map(each -> each.getKey() + "="
                        + (ALWAYS_QUOTED.contains(each.getKey())
                                ? '"' + each.getValue() + '"'
                                : quoted(each.getValue())))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    public String baseUrl() {
        return required("BASE_URL");
    }

    public String adminUrl() {
        return required("ADMIN_URL");
    }

    public String adminToken() {
        return required("ADMIN_TOKEN");
    }

    public String apiKey() {
        return required("API_KEY");
    }

    public String platformId() {
        return required("PLATFORM_ID");
    }

    public String mongodbUri() {
        return required("MONGODB_URI");
    }

    public String kafkaBootstrapServers() {
        return required("KAFKA_BOOTSTRAP_SERVERS");
    }

    /** The settings of a client of Kafka: its address and, with {@code --secure}, the brokers' own certificate, which may do everything. */
    public Map<String, Object> kafkaClient() {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", kafkaBootstrapServers()));
        String file = values.getOrDefault("KAFKA_CLIENT_SETTINGS", "");
        if (!file.isEmpty()) {
            settings.putAll(properties(Path.of(file)));
        }
        return settings;
    }

    /** For clients of MongoDB, whose address cannot name a CA. Without {@code --secure} null: the JVM's own. */
    public @Nullable SSLContext mongodbTrust() {
        String ca = values.getOrDefault("BROKERS_CA", "");
        return ca.isEmpty() ? null : trustIn(Path.of(ca));
    }

    /** Trusts the authority of a PEM file, and no other. */
    public static SSLContext trustIn(Path ca) {
        try (InputStream pem = Files.newInputStream(ca)) {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(ca + " cannot be read: " + e, e);
        }
    }

    private static Map<String, String> properties(Path file) {
        Properties properties = new Properties();
        try (Reader text = Files.newBufferedReader(file)) {
            properties.load(text);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty));
    }

    public boolean hasLiveMode() {
        return values.containsKey("LIVE_API_KEY");
    }

    public String liveApiKey() {
        return required("LIVE_API_KEY");
    }

    public String livePlatformId() {
        return required("LIVE_PLATFORM_ID");
    }

    /** Where payers pay at the bank. */
    public String bankControlUrl() {
        return required("BANK_CONTROL_URL");
    }

    public Pids pids() {
        return new Pids(
                pids("GATEWAY_PID"),
                pids("PROCESSOR_PID"),
                pids("WEBHOOK_DISPATCHER_PID"),
                pids("DESK_PID"),
                pids("MONGOD_PID"),
                pids("KAFKA_PID"));
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

    private String required(String name) {
        String value = values.getOrDefault(name, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException("demo.env: " + name + " is missing");
        }
        return value;
    }

    private List<Long> pids(String name) {
        return Arrays.stream(values.getOrDefault(name, "").split(" "))
                .filter(pid -> !pid.isEmpty())
                .map(Long::valueOf)
                .toList();
    }

    /** Without the API key, the token and the secret. */
    @Override
    public String toString() {
        return "DemoEnv[" + values.getOrDefault("BASE_URL", "") + "]";
    }
}
