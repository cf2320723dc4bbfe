package dev.ligeiro.dispatcher;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.mongo.ShardKeys;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.bson.UuidRepresentation;
import org.reactivestreams.Publisher;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import reactor.core.publisher.Mono;

/** The environment of dispatchers under test: real Kafka, a separate database in real MongoDB, and a merchant's webhook receiver. */
public final class TestEnvironment implements AutoCloseable {

    /**
     * Settings of a dispatcher: on a busy machine an attempt may take long, and one that the test holds back must not time out. Its lease
     * is longer.
     */
    static final String[] LONG_ATTEMPTS = {"ligeiro.webhook.total-timeout=50s", "ligeiro.webhook.lease=180s"};

    static final Duration WAIT = Duration.ofSeconds(60);
    /** Each test uses new tenants, so that it ignores the events of other tests in the topic. */
    private static final AtomicLong NEXT_TENANT = new AtomicLong(System.nanoTime() / 1000 * 1000);

    private final String name = "dispatcher_" + UUID.randomUUID().toString().substring(0, 8);
    private final WebhookReceiver receiver = new WebhookReceiver();
    private final MongoClient mongo = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri(name)))
            .uuidRepresentation(UuidRepresentation.STANDARD)
            .build());
    private final TestEvents events = new TestEvents();
    private final TestConsumerGroup group = new TestConsumerGroup(name);
    private final TestEndpoints endpoints = new TestEndpoints(database(), receiver);
    private final TestTransactions transactions = new TestTransactions(database());
    private final TestLanes lanes = new TestLanes(database());
    private final TestDeliveries deliveries = new TestDeliveries(mongo, database(), lanes);
    private final ShardKeys shardKeys = new ShardKeys();
    private final List<ConfigurableApplicationContext> dispatchers = new ArrayList<>();

    public WebhookReceiver receiver() {
        return receiver;
    }

    public TestEvents events() {
        return events;
    }

    public TestConsumerGroup consumerGroup() {
        return group;
    }

    public TestEndpoints endpoints() {
        return endpoints;
    }

    public TestTransactions transactions() {
        return transactions;
    }

    public TestLanes lanes() {
        return lanes;
    }

    public TestDeliveries deliveries() {
        return deliveries;
    }

    /** Stores a due delivery to {@code endpoint}, and its transaction, but no lane. */
    public void insertDue(WebhookEndpoint endpoint) {
        deliveries.insertDue(endpoint, paid(endpoint.tenant()));
    }

    /** The event of a paid cashin of {@code tenant}, which is stored, as the processor does before it publishes the event. */
    public TransactionEvent paid(Tenant tenant) {
        Transaction paid = TestTransactions.paid(tenant);
        transactions.store(paid);
        return TransactionEvent.of(paid, paid.history().sequence());
    }

    public Tenant tenant() {
        return new Tenant(NEXT_TENANT.incrementAndGet());
    }

    /** A dispatcher of this environment, with quick retries, and {@code settings} of the form {@code key=value}. */
    public ConfigurableApplicationContext startDispatcher(String... settings) {
        return start(WebApplicationType.NONE, settings);
    }

    /** Starts a dispatcher with its management port. */
    public ConfigurableApplicationContext startDispatcherWithHttp(String... settings) {
        return start(WebApplicationType.REACTIVE, settings);
    }

    private ConfigurableApplicationContext start(WebApplicationType http, String... settings) {
        ConfigurableApplicationContext dispatcher = new SpringApplicationBuilder(WebhookDispatcherApplication.class)
                .web(http)
                .initializers((GenericApplicationContext context) -> context.registerBean(
                        "shardKeys",
                        MongoClientSettingsBuilderCustomizer.class,
                        () -> client -> client.addCommandListener(shardKeys)))
                .run(arguments(settings));
        dispatchers.add(dispatcher);
        return dispatcher;
    }

    /** The started dispatchers, in the order of their start. */
    public List<ConfigurableApplicationContext> dispatchers() {
        return List.copyOf(dispatchers);
    }

    /**
     * The command line of a dispatcher of this environment.
     *
     * @param settings override, each as {@code key=value}; an argument that starts with {@code --} is passed unchanged
     */
    String[] arguments(String... settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "spring.mongodb.uri", TestBrokers.mongodbUri(name),
                "spring.kafka.bootstrap-servers", TestBrokers.kafkaBootstrapServers(),
                "spring.kafka.consumer.group-id", group.name(),
                "spring.kafka.listener.concurrency", "1",
                "logging.level.dev.ligeiro.dispatcher", "WARN",
                "logging.level.org.apache.kafka", "ERROR",
                "ligeiro.webhook.allowed-networks", "127.0.0.1/32",
                "ligeiro.webhook.lane.poll-interval", "50ms",
                "ligeiro.webhook.lane.open-min", "100ms",
                "ligeiro.webhook.retry.delays", "0s,100ms,100ms,100ms"));
        all.put("ligeiro.webhook.lane.sweep-interval", "1s");
        all.put("ligeiro.mongodb.connect-timeout", "1s");
        all.put("ligeiro.webhook.secret-keys", Endpoints.SECRET_KEYS);
        List<String> arguments = new ArrayList<>();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (setting.startsWith("--")) {
                arguments.add(setting);
            } else {
                // Spring joins the values of a repeated argument, so only the last one is passed
                all.put(setting.substring(0, equals), setting.substring(equals + 1));
            }
        }
        all.forEach((key, value) -> arguments.add("--" + key + "=" + value));
        return arguments.toArray(String[]::new);
    }

    /**
     * Waits until a dispatcher has all partitions: events that are published later are no repetition for it, so it attempts them from
     * memory.
     */
    public void awaitPartitions() {
        events.publishToEachPartition(paid(tenant()));
        Awaitility.await().atMost(WAIT).until(() -> group.lag() == 0);
    }

    public MongoDatabase database() {
        return mongo.getDatabase(name);
    }

    public static <T> void run(Publisher<T> operation) {
        Mono.from(operation).block(WAIT);
    }

    @Override
    public void close() {
        dispatchers.forEach(ConfigurableApplicationContext::close);
        events.close();
        mongo.close();
        receiver.close();
        shardKeys.check();
    }
}
