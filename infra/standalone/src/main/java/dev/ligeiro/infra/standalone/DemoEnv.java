package dev.ligeiro.infra.standalone;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The contents of {@code demo.env}: all that a script needs to use the running system and to reach its processes.
 *
 * <p>An interface to others' tools (design §6): shell assignments, lists of pids quoted and separated by a space, a pid
 * empty where the broker is not ours.
 */
record DemoEnv(
        String baseUrl,
        String adminUrl,
        String adminToken,
        String apiKey,
        String platformId,
        String mongodbUri,
        String kafkaBootstrapServers,
        List<Long> gatewayPids,
        List<Long> processorPids,
        List<Long> webhookDispatcherPids,
        List<Long> mongodPid,
        List<Long> kafkaPid) {

    private static final Pattern NEEDS_NO_QUOTES = Pattern.compile("[A-Za-z0-9_./:@%+,=?-]*");
    private static final Pattern SPECIAL_IN_QUOTES = Pattern.compile("[\"\\\\$`]");

    String render() {
        return """
                BASE_URL=%s
                ADMIN_URL=%s
                ADMIN_TOKEN=%s
                API_KEY=%s
                PLATFORM_ID=%s
                MONGODB_URI=%s
                KAFKA_BOOTSTRAP_SERVERS=%s
                GATEWAY_PID="%s"
                PROCESSOR_PID="%s"
                WEBHOOK_DISPATCHER_PID="%s"
                MONGOD_PID=%s
                KAFKA_PID=%s
                """
                .formatted(
                        quoted(baseUrl),
                        quoted(adminUrl),
                        quoted(adminToken),
                        quoted(apiKey),
                        quoted(platformId),
                        quoted(mongodbUri),
                        quoted(kafkaBootstrapServers),
                        listed(gatewayPids),
                        listed(processorPids),
                        listed(webhookDispatcherPids),
                        listed(mongodPid),
                        listed(kafkaPid));
    }

    /** As a POSIX shell reads it back; a value without special characters stays bare for simpler readers. */
    static String quoted(String value) {
        return NEEDS_NO_QUOTES.matcher(value).matches()
                ? value
                : '"' + SPECIAL_IN_QUOTES.matcher(value).replaceAll("\\\\$0") + '"';
    }

    private static String listed(List<Long> pids) {
        return pids.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }
}
