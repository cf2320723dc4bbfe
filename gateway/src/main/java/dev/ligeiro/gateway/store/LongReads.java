package dev.ligeiro.gateway.store;

import com.mongodb.ClientSessionOptions;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.bson.BsonTimestamp;
import org.bson.codecs.configuration.CodecRegistries;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import reactor.core.publisher.Mono;

/**
 * The database over a MongoDB client of its own, for lists, feeds and other reads that may take long. However many of them run, they
 * cannot take the connections that creates need.
 *
 * <p>Its threads, one for each four cores, decode the documents and write the JSON of lists, some milliseconds a page. So lists never occupy
 * an event loop of the creates, nor more than these threads' cores. A thread's queue is short, since only a few long reads run at once.
 */
public final class LongReads implements AutoCloseable {

    private static final int CORES_EACH = 4;

    private final MongoClient client;
    private final MongoDatabase database;
    private final ExecutorService threads;

    /** @param threads of the client */
    LongReads(MongoClient client, String database, ExecutorService threads) {
        this.client = client;
        this.database = client.getDatabase(database);
        this.threads = threads;
    }

    static ExecutorService threads() {
        int count = Math.max(1, Runtime.getRuntime().availableProcessors() / CORES_EACH);
        CustomizableThreadFactory factory = new CustomizableThreadFactory("gateway-long-reads-");
        factory.setDaemon(true);
        return Executors.newFixedThreadPool(count, factory);
    }

    public MongoDatabase database() {
        return database;
    }

    /** For reading only. */
    public MongoCollection<Transaction> transactions() {
        return MongoConfiguration.transactionsOf(database, new TransactionCodec());
    }

    /** Transactions, each reduced by the codec. */
    public <T> MongoCollection<T> transactions(ReducingCodec<T> codec) {
        return database.getCollection(CollectionNames.TRANSACTIONS, codec.getEncoderClass())
                .withCodecRegistry(
                        CodecRegistries.fromRegistries(CodecRegistries.fromCodecs(codec), database.getCodecRegistry()));
    }

    public <T> Mono<T> inSession(Function<CausalSession, Mono<T>> reads) {
        return Mono.usingWhen(
                client.startSession(
                        ClientSessionOptions.builder().causallyConsistent(true).build()),
                session -> reads.apply(new CausalSession(session)),
                session -> Mono.fromRunnable(session::close));
    }

    /** Each read in it sees at least what the earlier ones saw, whichever member answers. For one read at a time. */
    public record CausalSession(ClientSession session) {

        /** The time of MongoDB's cluster in its latest answer: of the last write that a majority had, after a majority read. */
        public BsonTimestamp seen() {
            return Objects.requireNonNull(session.getOperationTime());
        }

        /** {@link #seen} in whole seconds. */
        public Instant seenAt() {
            return Instant.ofEpochSecond(seen().getTime());
        }
    }

    MongoClient client() {
        return client;
    }

    /** The client stops in an earlier phase of Spring's shutdown. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
