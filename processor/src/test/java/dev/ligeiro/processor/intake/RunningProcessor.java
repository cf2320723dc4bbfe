package dev.ligeiro.processor.intake;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.processor.ProcessorApplication;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.mongo.ShardKeys;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The running service, with the shared brokers of the tests. Closing it is an ordinary stop. */
final class RunningProcessor implements AutoCloseable {

    static final String DATABASE = "processor_it";

    private final ShardKeys shardKeys = new ShardKeys();
    private final Api api;
    private final ConfigurableApplicationContext context;

    private RunningProcessor(Consumer<GenericApplicationContext> beans, List<String> settings) {
        // its group and its database may be the same
        StartedProcessor.stop();
        int port = Ports.free();
        this.api = new Api("http://localhost:" + port, null);
        this.context = new SpringApplicationBuilder(ProcessorApplication.class)
                .initializers((GenericApplicationContext context) -> {
                    context.registerBean(
                            "shardKeys",
                            MongoClientSettingsBuilderCustomizer.class,
                            () -> client -> client.addCommandListener(shardKeys));
                    beans.accept(context);
                })
                .run(arguments(port, settings));
    }

    static RunningProcessor start(String... settings) {
        return new RunningProcessor(context -> {}, Arrays.asList(settings));
    }

    /** With a rail for live transactions beside the simulator. */
    static RunningProcessor startWith(PaymentRail rail, String... settings) {
        return new RunningProcessor(
                context -> context.registerBean("liveRail", PaymentRail.class, () -> rail), Arrays.asList(settings));
    }

    /** At the time of {@code clock}. */
    static RunningProcessor startAt(Clock clock, String... settings) {
        return new RunningProcessor(
                context -> context.registerBean("testClock", Clock.class, () -> clock, bean -> bean.setPrimary(true)),
                Arrays.asList(settings));
    }

    /** With a rail for live transactions, at the time of {@code clock}. */
    static RunningProcessor startAt(Clock clock, PaymentRail rail, String... settings) {
        return new RunningProcessor(
                context -> {
                    context.registerBean("testClock", Clock.class, () -> clock, bean -> bean.setPrimary(true));
                    context.registerBean("liveRail", PaymentRail.class, () -> rail);
                },
                Arrays.asList(settings));
    }

    /** A processor in a JVM of its own, which the test kills. */
    static ChildProcess spawn(int port, List<String> settings, Path log) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx200m",
                "-cp",
                System.getProperty("java.class.path"),
                ProcessorApplication.class.getName()));
        command.addAll(List.of(arguments(port, settings)));
        return ChildProcess.spawn("killed-processor", command, Map.of(), log);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    Api api() {
        return api;
    }

    String get(String path) {
        return api.get(path).body();
    }

    boolean isReady() {
        return api.get("/actuator/health/readiness").status() == 200;
    }

    boolean isAlive() {
        return api.get("/actuator/health/liveness").status() == 200;
    }

    /** Whether the stop has begun. */
    boolean isStopping() {
        return context.isClosed();
    }

    @Override
    public void close() {
        context.close();
        requireShardKeys();
    }

    /** Fails if a command to MongoDB did not name its shard key. */
    void requireShardKeys() {
        shardKeys.check();
    }

    /**
     * The command line of a processor on the test's brokers.
     *
     * @param settings override, each as {@code key=value}
     */
    static String[] arguments(int port, List<String> settings) {
        Map<String, String> all = new LinkedHashMap<>();
        List<String> defaults = List.of(
                "spring.main.banner-mode=off",
                "spring.mongodb.uri=" + TestBrokers.mongodbUri(DATABASE),
                "spring.kafka.bootstrap-servers=" + TestBrokers.kafkaBootstrapServers(),
                "management.server.port=" + port,
                "spring.kafka.consumer.properties.reconnect.backoff.max.ms=200",
                "spring.kafka.producer.properties.reconnect.backoff.max.ms=200",
                "ligeiro.kafka.partitions=3",
                "ligeiro.mongodb.connect-timeout=2s",
                "ligeiro.mongodb.operation-timeout=20s",
                "ligeiro.intake.retry-delay-max=1s",
                "ligeiro.archive.to=file:" + System.getProperty("java.io.tmpdir"),
                "ligeiro.books.enabled=false");
        // Spring joins the values of a repeated argument, so only the last one is passed
        Stream.concat(defaults.stream(), settings.stream())
                .map(setting -> setting.split("=", 2))
                .forEach(keyAndValue -> all.put(keyAndValue[0], keyAndValue[1]));
        return all.entrySet().stream()
                .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new);
    }
}
