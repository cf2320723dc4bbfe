package dev.ligeiro.gateway.api.show;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.codecs.configuration.CodecRegistries;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Transactions of twenty merchants, each with the same keys and references. */
@ExtendWith(SharedGateway.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionStoreIT {

    private static final int MERCHANTS = 20;
    private static final int OF_EACH = 50;
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private final Queries queries = new Queries();
    private final String database;
    private final MongoClient client;
    private final TransactionStore holders;

    TransactionStoreIT(RunningGateway gateway) {
        database = gateway.database();
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri(database)))
                .addCommandListener(queries)
                .build());
        MongoDatabase shared = client.getDatabase(database);
        holders = new TransactionStore(shared.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()), shared.getCodecRegistry())));
    }

    @BeforeAll
    void store() {
        List<Transaction> all = new ArrayList<>();
        for (int merchant = 0; merchant < MERCHANTS; merchant++) {
            for (int i = 0; i < OF_EACH; i++) {
                all.add(transaction(tenant(merchant), "key " + i, "reference " + i));
            }
        }
        try (TransactionDocuments stored = new TransactionDocuments(database)) {
            stored.insert(all);
        }
    }

    @AfterAll
    void close() {
        client.close();
    }

    @Test
    void aThousandLookUpsAtOnceTakeTwoConnections() {
        List<Mono<Transaction>> lookups = new ArrayList<>();
        for (int i = 0; i < OF_EACH; i++) {
            for (int merchant = 0; merchant < MERCHANTS; merchant++) {
                lookups.add(holders.holder(tenant(merchant), "key " + i));
            }
        }

        List<Transaction> found =
                Flux.mergeSequential(lookups, lookups.size(), 1).collectList().block(WAIT_MAX);

        assertThat(found)
                .extracting(
                        holder -> holder.tenant().key() + " " + holder.terms().reference())
                .containsExactlyElementsOf(IntStream.range(0, OF_EACH)
                        .boxed()
                        .flatMap(i -> IntStream.range(0, MERCHANTS)
                                .mapToObj(merchant -> tenant(merchant).key() + " reference " + i))
                        .toList());
        assertThat(queries.mostAtOnce()).isLessThanOrEqualTo(2);
    }

    @Test
    void theHolderOfTheKeyAndThatOfTheReferenceAreFound() {
        assertThat(references(tenant(0), "key 1", "reference 2")).containsExactly("reference 1", "reference 2");
        assertThat(references(tenant(0), "key 1", "reference 1")).containsExactly("reference 1");
        assertThat(references(tenant(0), null, "reference 1")).containsExactly("reference 1");
    }

    private List<String> references(Tenant tenant, @Nullable String key, @Nullable String reference) {
        return holders.holders(tenant, key, reference).blockOptional(WAIT_MAX).orElseThrow().stream()
                .map(holder -> holder.terms().reference())
                .toList();
    }

    /** Their numbers are above those of the merchants that other tests make. */
    private static Tenant tenant(int merchant) {
        return Tenant.of(900_000 + merchant, Mode.TEST);
    }

    private static Transaction transaction(Tenant tenant, String key, String reference) {
        Transaction like = Transactions.like(Transactions.cashin(TransactionId.at(Instant.now()), new Amount(100)))
                .reference(reference)
                .build();
        return Transaction.create(like.id(), tenant, like.operation(), like.terms(), key, null);
    }

    /** Counts the queries of a client that run at once. */
    private static final class Queries implements CommandListener {

        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        private int mostAtOnce() {
            return most.get();
        }

        @Override
        public void commandStarted(CommandStartedEvent event) {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
        }

        @Override
        public void commandSucceeded(CommandSucceededEvent event) {
            running.decrementAndGet();
        }

        @Override
        public void commandFailed(CommandFailedEvent event) {
            running.decrementAndGet();
        }
    }
}
