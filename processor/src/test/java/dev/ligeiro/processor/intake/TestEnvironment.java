package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.kafka.OriginHeaders;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The environment of the processor under test: writes as the gateway does, reads as the dispatcher does. */
final class TestEnvironment extends TestDatabase {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers(), "linger.ms", 50),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    private final TopicReader events = reader(Topics.EVENTS, 3);
    private final TopicReader deadCommands = reader(Topics.deadLetter(Topics.COMMANDS), 1);

    TestEnvironment() {
        this(RunningProcessor.DATABASE);
    }

    TestEnvironment(String name) {
        super(name);
    }

    private static TopicReader reader(String topic, int partitions) {
        TestTopics.create(topic, partitions);
        return TopicReader.fromTheBeginning(topic);
    }

    /** Inserts a document that cannot be decoded to a transaction. */
    Transaction storedWithoutItsFields(Transaction transaction) {
        Document bare = new Document(TransactionFields.ID, transaction.id().value())
                .append(TransactionFields.TENANT, transaction.tenant().key());
        Mono.from(database().getCollection(CollectionNames.TRANSACTIONS).insertOne(bare))
                .block(TIMEOUT);
        return transaction;
    }

    /** Creates versions for the transaction's day, as a gateway does before it caches counts of it. */
    void keepCountsOf(Transaction transaction) {
        BsonDocument versions = new BsonDocument(BucketVersionFields.FIRST, new BsonInt64(0))
                .append(BucketVersionFields.VERSION, new BsonInt64(0));
        Mono.from(bucketVersions()
                        .updateOne(
                                bucketVersions(transaction),
                                new BsonDocument("$setOnInsert", versions),
                                new UpdateOptions().upsert(true)))
                .block(TIMEOUT);
    }

    /** The version of the transaction's minute; 0 if it was never replaced. */
    long bucketVersion(Transaction transaction) {
        BsonDocument day = Mono.from(bucketVersions().find(bucketVersions(transaction)))
                .blockOptional(TIMEOUT)
                .orElseThrow();
        return day.getInt64(
                        BucketVersionFields.minute(BucketVersionFields.minuteOfDay(transaction.id())),
                        day.getInt64(BucketVersionFields.FIRST))
                .getValue();
    }

    /** Sets a guard, as the gateway does for an operator. */
    void set(CashoutGuard guard) {
        set(guard, new Document());
    }

    /** @param further an update of another field */
    void set(CashoutGuard guard, Bson further) {
        Bson change = Updates.combine(
                new Document("$set", GuardDocument.of(guard)), Updates.currentDate(GuardDocument.CHANGED_AT), further);
        Mono.from(database()
                        .getCollection(CollectionNames.GUARDS)
                        .updateOne(
                                Filters.eq(GuardDocument.ID, guard.tenant().key()),
                                change,
                                new UpdateOptions().upsert(true)))
                .block(TIMEOUT);
    }

    /** What processors have counted for the guard of a tenant. */
    Document guardTotals(Tenant tenant) {
        return Mono.from(database().getCollection(CollectionNames.GUARD_TOTALS).find(Filters.eq(tenant.key())))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    /** The balance of a tenant over all days; empty before its first posting. */
    Document balance(Tenant tenant) {
        return Mono.from(database().getCollection(CollectionNames.BALANCES).find(Filters.eq(BalanceFields.id(tenant))))
                .blockOptional(TIMEOUT)
                .orElse(new Document());
    }

    /** Stores what operators have confirmed about an unmatched payment, as a gateway does. */
    UUID confirmed(ResolutionDecision decision, Transaction named, String payment) {
        UUID id = UUID.randomUUID();
        BsonDocument document = new BsonDocument(ResolutionFields.ID, TransactionCodec.binary(id))
                .append(ResolutionFields.OPEN, new BsonString(payment))
                .append(ResolutionFields.STATE, new BsonString(ResolutionState.CONFIRMED.code()))
                .append(ResolutionFields.DECISION, new BsonString(decision.code()))
                .append(ResolutionFields.TENANT, TransactionCodec.tenant(named.tenant()))
                .append(
                        ResolutionFields.TRANSACTION_ID,
                        TransactionCodec.binary(named.id().value()))
                .append(ResolutionFields.UNMATCHED_PAYMENT, new BsonString(payment))
                .append(ResolutionFields.DECIDED_BY, new BsonString("bia"));
        Mono.from(database()
                        .getCollection(CollectionNames.RESOLUTIONS, BsonDocument.class)
                        .insertOne(document))
                .block(TIMEOUT);
        return id;
    }

    String stateOf(UUID resolution) {
        return Mono.from(database()
                        .getCollection(CollectionNames.RESOLUTIONS)
                        .find(Filters.eq(ResolutionFields.ID, TransactionCodec.binary(resolution))))
                .blockOptional(TIMEOUT)
                .orElseThrow()
                .getString(ResolutionFields.STATE);
    }

    /** Makes MongoDB refuse to store the transaction with this status, while {@code work} runs. */
    void refuseStatus(Transaction transaction, Status status, Runnable work) {
        Document refused = new Document(TransactionFields.ID, transaction.id().value())
                .append(TransactionFields.STATUS, status.code());
        validate(new Document("$nor", List.of(refused)));
        work.run();
        validate(new Document());
    }

    private void validate(Document validator) {
        Mono.from(database()
                        .runCommand(
                                new Document("collMod", CollectionNames.TRANSACTIONS).append("validator", validator)))
                .block(TIMEOUT);
    }

    private static BsonDocument bucketVersions(Transaction transaction) {
        return new BsonDocument(
                BucketVersionFields.ID,
                BucketVersionFields.id(transaction.tenant(), BucketVersionFields.epochDay(transaction.id())));
    }

    private MongoCollection<BsonDocument> bucketVersions() {
        return database().getCollection(CollectionNames.BUCKET_VERSIONS, BsonDocument.class);
    }

    /** Sends a command, as the gateway does. */
    void send(TransactionCommand command) {
        send(command.transactionId(), MessageJson.write(command));
    }

    void send(TransactionId key, byte @Nullable [] value) {
        byte[] keyBytes = key.toString().getBytes(StandardCharsets.US_ASCII);
        producer.send(new ProducerRecord<>(Topics.COMMANDS, keyBytes, value));
    }

    /** Sends a command that a request has caused. */
    void send(TransactionCommand command, Origin origin) {
        byte[] key = command.transactionId().toString().getBytes(StandardCharsets.US_ASCII);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topics.COMMANDS, key, MessageJson.write(command));
        OriginHeaders.add(record.headers(), origin);
        producer.send(record);
    }

    /** Sends a record as another program may: compressed, and larger than the processor's own producer may send. */
    void sendCompressed(TransactionId key, byte[] value) {
        try (KafkaProducer<byte[], byte[]> other = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        TestBrokers.kafkaBootstrapServers(),
                        "compression.type",
                        "gzip",
                        "max.request.size",
                        2 * value.length),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            other.send(
                    new ProducerRecord<>(Topics.COMMANDS, key.toString().getBytes(StandardCharsets.US_ASCII), value));
        }
    }

    /** The origins of the events of a transaction so far, in their order. */
    List<Origin> origins(TransactionId id) {
        return events.toTheEnd().records(id.toString()).stream()
                .map(record -> OriginHeaders.of(record.headers()))
                .toList();
    }

    /** Waits until the broker has acknowledged all sent commands. */
    void flush() {
        producer.flush();
    }

    static TransactionCommand process(Transaction transaction) {
        return new TransactionCommand.Process(transaction);
    }

    static TransactionCommand pay(Transaction transaction) {
        return change(transaction, new ChangeAction.Sandbox(SandboxAction.PAY));
    }

    /** A new request of the merchant. */
    static TransactionCommand change(Transaction transaction, ChangeAction action) {
        return new TransactionCommand.Change(
                transaction.tenant(), transaction.id(), new ChangeRef(UUID.randomUUID(), null), action);
    }

    static TransactionCommand dueCheck(Transaction due) {
        return new TransactionCommand.DueCheck(due.tenant(), due.id(), Instant.now());
    }

    /** All events of a transaction so far, in their order. */
    List<TransactionEvent> events(TransactionId id) {
        return events.toTheEnd().records(id.toString()).stream()
                .filter(record -> !EventHeaders.isForBooks(
                        record.headers().lastHeader(EventHeaders.TYPE).value()))
                .map(record -> MessageJson.readEvent(record.value()))
                .toList();
    }

    /** The events of a transaction so far, each as sequence and status, such as {@code 2 paid}. */
    List<String> announced(TransactionId id) {
        return events(id).stream()
                .map(event -> event.id().sequence() + " "
                        + event.transaction().status().code())
                .toList();
    }

    /** Waits until exactly these events are announced, as {@link #announced} returns them: an event that is sent again counts. */
    void awaitSent(Transaction transaction, String... events) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(announced(transaction.id())).containsExactly(events));
    }

    /**
     * Waits until these events are announced, each at least once: on a slow machine a batch may be retried, and then its
     * events are sent again.
     */
    void awaitAnnounced(Transaction transaction, String... events) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(
                        announced(transaction.id()).stream().distinct())
                .containsExactly(events));
    }

    List<ConsumerRecord<byte[], byte[]>> deadCommands(TransactionId id) {
        return deadCommands.toTheEnd().records(id.toString());
    }

    @Override
    public void close() {
        events.close();
        deadCommands.close();
        producer.close();
        super.close();
    }
}
