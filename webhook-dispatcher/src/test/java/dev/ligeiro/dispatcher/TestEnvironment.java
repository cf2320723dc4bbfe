package dev.ligeiro.dispatcher;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.kafka.OriginHeaders;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.codecs.EncoderContext;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The environment of dispatchers under test: real Kafka, a separate database in real MongoDB, and a merchant's webhook receiver. */
public final class TestEnvironment implements AutoCloseable {

    public static final String SECRET = Endpoints.SECRET.text();
    private static final int PARTITIONS = 3;
    private static final Duration WAIT = Duration.ofSeconds(30);
    /** Each test uses new tenants, so that it ignores the events of other tests in the topic. */
    private static final AtomicLong NEXT_TENANT = new AtomicLong(System.nanoTime() / 1000 * 1000);

    private final String name = "dispatcher_" + UUID.randomUUID().toString().substring(0, 8);
    private String group = name;
    private final WebhookReceiver receiver = new WebhookReceiver();
    private final MongoClient mongo = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri(name)))
            .uuidRepresentation(UuidRepresentation.STANDARD)
            .build());
    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers(), "linger.ms", "0"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    private @Nullable TopicReader deadLetters;
    private final List<ConfigurableApplicationContext> dispatchers = new ArrayList<>();

    public WebhookReceiver receiver() {
        return receiver;
    }

    /** Creates the topic of events and its dead-letter topic, as the processor does. */
    public void createTopic() {
        TestTopics.create(Topics.EVENTS, PARTITIONS);
        TestTopics.create(Topics.deadLetter(Topics.EVENTS), 1);
    }

    public void deleteTopic() {
        TestTopics.delete(Topics.EVENTS);
    }

    /** Dispatchers that are started after this call receive every event of the topic again. */
    public void newConsumerGroup() {
        group = name + "_" + UUID.randomUUID();
    }

    /** The session time-out of the consumer group; see {@link ConsumerGroups#setSession}. */
    public void setSession(Duration session) {
        ConsumerGroups.setSession(group, session);
    }

    /** The events that the consumer group has not committed. */
    public long lag() {
        try (Admin admin = TestTopics.admin()) {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(WAIT.toSeconds(), TimeUnit.SECONDS);
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                latest.put(new TopicPartition(Topics.EVENTS, partition), OffsetSpec.latest());
            }
            return admin.listOffsets(latest).all().get(WAIT.toSeconds(), TimeUnit.SECONDS).entrySet().stream()
                    .mapToLong(end -> {
                        OffsetAndMetadata offset = committed.get(end.getKey());
                        return end.getValue().offset() - (offset == null ? 0 : offset.offset());
                    })
                    .sum();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Waits until a dispatcher has all partitions: events that are published later are no repetition for it, so it attempts them from
     * memory.
     */
    public void awaitPartitions() {
        Tenant other = tenant();
        TransactionEvent event = paid(other);
        byte[] key = "any".getBytes();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            send(new ProducerRecord<>(
                    Topics.EVENTS, partition, key, MessageJson.write(event), headers(other, event.type())));
        }
        Awaitility.await().atMost(WAIT).until(() -> lag() == 0);
    }

    /** The members of the consumer group that have partitions. */
    public long membersWithPartitions() {
        return members().stream()
                .filter(member -> !member.assignment().topicPartitions().isEmpty())
                .count();
    }

    /** The same, when the others have given back what the broker asks for. */
    public long membersThatShallHavePartitions() {
        return members().stream()
                .filter(member -> member.targetAssignment()
                        .filter(target -> !target.topicPartitions().isEmpty())
                        .isPresent())
                .count();
    }

    private Collection<MemberDescription> members() {
        try (Admin admin = TestTopics.admin()) {
            return Objects.requireNonNull(admin.describeConsumerGroups(List.of(group))
                            .describedGroups()
                            .get(group))
                    .get(WAIT.toSeconds(), TimeUnit.SECONDS)
                    .members();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
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
                "spring.kafka.consumer.group-id", group,
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

    public Tenant tenant() {
        return new Tenant(NEXT_TENANT.incrementAndGet());
    }

    /** Registers an endpoint at {@code path} of the receiver, as the gateway does. */
    public WebhookEndpoint register(Tenant tenant, String path) {
        return registerUrl(tenant, receiver.url(path));
    }

    public WebhookEndpoint registerUrl(Tenant tenant, String url) {
        WebhookEndpoint endpoint = Endpoints.endpoint(UuidV7.at(System.currentTimeMillis()), tenant, url);
        run(endpoints().insertOne(EndpointDocument.of(endpoint)));
        return endpoint;
    }

    /** Makes the tenant's feed, as the gateway does at the merchant's first request. */
    public WebhookEndpoint makeFeed(Tenant tenant) {
        WebhookEndpoint feed = WebhookEndpoint.feed(UuidV7.at(System.currentTimeMillis()), tenant, Instant.now());
        run(endpoints().insertOne(EndpointDocument.ofFeed(feed)));
        return feed;
    }

    /** Stores {@code changed} instead of the endpoint with its id. */
    public void replace(WebhookEndpoint changed) {
        run(endpoints().replaceOne(new Document("_id", changed.id()), EndpointDocument.of(changed)));
    }

    /** Sets a field of the stored endpoint. */
    public void set(WebhookEndpoint endpoint, String field, Object value) {
        run(endpoints()
                .updateOne(new Document("_id", endpoint.id()), new Document("$set", new Document(field, value))));
    }

    public void delete(WebhookEndpoint endpoint) {
        run(endpoints().deleteOne(new Document("_id", endpoint.id())));
    }

    public Document endpoint(WebhookEndpoint endpoint) {
        return Mono.from(endpoints().find(new Document("_id", endpoint.id())))
                .blockOptional(WAIT)
                .orElseThrow();
    }

    /** A paid cashin of {@code tenant}. */
    public static TransactionEvent paid(Tenant tenant) {
        Transaction own = Transactions.like(Transactions.cashin(TransactionId.at(Instant.now()), new Amount(15075)))
                .tenant(tenant)
                .accepted(true)
                .build();
        Transaction paid = own.moveTo(Status.PAID, Instant.now(), Source.RAIL);
        return TransactionEvent.of(paid, paid.version());
    }

    /** Stores {@code transaction}, as the gateway and the processor do. */
    public void store(Transaction transaction) {
        BsonDocument document = new BsonDocument();
        new TransactionCodec()
                .encode(
                        new BsonDocumentWriter(document),
                        transaction,
                        EncoderContext.builder().build());
        run(database()
                .getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                .insertOne(document));
    }

    /** Gives the stored transaction an operation that only a newer version knows. */
    public void makeUnreadable(Transaction transaction) {
        run(database()
                .getCollection(CollectionNames.TRANSACTIONS)
                .updateOne(
                        new Document("_id", transaction.id().value()),
                        new Document("$set", new Document(TransactionFields.OPERATION, "melted"))));
    }

    /** Publishes an event, as the processor does. */
    public void publish(TransactionEvent event) {
        publish(
                event.transaction().id().toString().getBytes(),
                MessageJson.write(event),
                headers(event.transaction().tenant(), event.type()));
    }

    /** Publishes an event that a request has caused. */
    public void publish(TransactionEvent event, Origin origin) {
        RecordHeaders headers = new RecordHeaders(headers(event.transaction().tenant(), event.type()));
        OriginHeaders.add(headers, origin);
        publish(event.transaction().id().toString().getBytes(), MessageJson.write(event), List.of(headers.toArray()));
    }

    public static List<Header> headers(Tenant tenant, EventType type) {
        return List.of(
                new RecordHeader(EventHeaders.TENANT, EventHeaders.value(tenant)),
                new RecordHeader(EventHeaders.TYPE, EventHeaders.value(type)));
    }

    public void publish(byte[] key, byte[] value, List<Header> headers) {
        send(new ProducerRecord<>(Topics.EVENTS, null, key, value, headers));
    }

    private void send(ProducerRecord<byte[], byte[]> record) {
        try {
            producer.send(record).get(WAIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The dead letters with this key, the oldest first. */
    public List<ConsumerRecord<byte[], byte[]>> deadLetters(String key) {
        if (deadLetters == null) {
            deadLetters = TopicReader.fromTheBeginning(Topics.deadLetter(Topics.EVENTS));
        }
        return deadLetters.records(key);
    }

    /** All deliveries to {@code endpoint}, by the range of {@code _id} that lists them, newest first. */
    public List<Document> deliveries(WebhookEndpoint endpoint) {
        return Flux.from(deliveries()
                        .find(Filters.and(
                                Filters.gte("_id", bound(endpoint, (byte) 0)),
                                Filters.lte("_id", bound(endpoint, (byte) -1))))
                        .sort(new Document("_id", -1)))
                .collectList()
                .blockOptional(WAIT)
                .orElseThrow();
    }

    public Optional<Document> delivery(WebhookEndpoint endpoint) {
        return deliveries(endpoint).stream().findFirst();
    }

    public String status(WebhookEndpoint endpoint) {
        return delivery(endpoint).map(delivery -> delivery.getString("status")).orElse("none");
    }

    /** The first possible delivery id of {@code endpoint} when the other bytes are 0, the last one when they are -1. */
    private static Binary bound(WebhookEndpoint endpoint, byte others) {
        byte[] bytes = new byte[DeliveryId.LENGTH];
        Arrays.fill(bytes, others);
        ByteBuffer.wrap(bytes)
                .putLong(endpoint.id().getMostSignificantBits())
                .putLong(endpoint.id().getLeastSignificantBits());
        return new Binary(bytes);
    }

    /** Schedules all deliveries to {@code endpoint} again, without payload, as the gateway does. */
    public void scheduleAgain(WebhookEndpoint endpoint) {
        Instant now = Instant.now();
        Document scheduled = new Document(DeliveryFields.STATUS, "scheduled")
                .append(DeliveryFields.NEXT_ATTEMPT_AT, now)
                .append(DeliveryFields.ENDPOINT, endpoint.id());
        Document update = new Document("$set", scheduled).append("$unset", new Document(DeliveryFields.ENDED_AT, ""));
        for (Document delivery : deliveries(endpoint)) {
            run(deliveries().updateOne(new Document("_id", delivery.get("_id")), update));
        }
        markDue(endpoint);
    }

    /** Tells the dispatchers to look at the deliveries to {@code endpoint}, as the gateway does. */
    public void markDue(WebhookEndpoint endpoint) {
        run(lanes().updateOne(
                        new Document("_id", endpoint.id()),
                        LaneUpdates.dueNow(endpoint.tenant(), Instant.now()),
                        new UpdateOptions().upsert(true)));
    }

    /** Writes a delivery in a transaction. Other writes of it wait until the result is run, which takes the write back. */
    public Runnable writeUncommitted(Binary deliveryId) {
        ClientSession session =
                Mono.from(mongo.startSession()).blockOptional(WAIT).orElseThrow();
        session.startTransaction();
        run(deliveries()
                .updateOne(
                        session,
                        new Document("_id", deliveryId),
                        new Document("$set", new Document("uncommitted", true))));
        return () -> {
            run(session.abortTransaction());
            session.close();
        };
    }

    /** Makes all deliveries and lanes due, as if the time of the next attempt, or the end of the lease, had come. */
    public void makeAllDue() {
        Date past = new Date(0);
        run(deliveries()
                .updateMany(
                        new Document(DeliveryFields.STATUS, "scheduled"),
                        new Document("$set", new Document(DeliveryFields.NEXT_ATTEMPT_AT, past))));
        run(lanes().updateMany(new Document(), new Document("$set", new Document(LaneFields.DUE_AT, past))));
    }

    /** The stored lane of {@code endpoint}; empty if it has none. */
    public Document lane(WebhookEndpoint endpoint) {
        return Mono.from(lanes().find(new Document("_id", endpoint.id())))
                .blockOptional(WAIT)
                .orElseGet(Document::new);
    }

    /** Stores a delivery that is due, without payload and without a lane. */
    public void insertDue(WebhookEndpoint endpoint, TransactionEvent event) {
        Delivery delivery = Delivery.due(
                new DeliveryId(endpoint.id(), event.id()), event.type().code(), event.at(), Instant.now(), null);
        BsonDocument document = new BsonDocument();
        new DeliveryCodec()
                .encode(
                        new BsonDocumentWriter(document),
                        delivery,
                        EncoderContext.builder().build());
        run(database()
                .getCollection(CollectionNames.DELIVERIES, BsonDocument.class)
                .insertOne(document));
    }

    public long laneCount() {
        return Mono.from(lanes().countDocuments()).blockOptional(WAIT).orElseThrow();
    }

    public MongoCollection<Document> lanes() {
        return database().getCollection(CollectionNames.LANES);
    }

    public MongoCollection<Document> deliveries() {
        return database().getCollection(CollectionNames.DELIVERIES);
    }

    private MongoCollection<Document> endpoints() {
        return database().getCollection(CollectionNames.ENDPOINTS);
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
        if (deadLetters != null) {
            deadLetters.close();
        }
        producer.close();
        mongo.close();
        receiver.close();
    }
}
