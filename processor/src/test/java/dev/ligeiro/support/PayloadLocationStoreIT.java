package dev.ligeiro.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.testing.brokers.TestBrokers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class PayloadLocationStoreIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int TAKERS = 8;
    private static final int BLOCKS = 200;

    private final String name = "pool_it_" + UUID.randomUUID();
    private final MongoClient client = MongoClients.create(TestBrokers.mongodbUri(name));
    private final MongoDatabase database = client.getDatabase(name);
    private final PayloadLocationStore store = new PayloadLocationStore(database);

    @AfterEach
    void close() {
        Mono.from(database.drop()).block(TIMEOUT);
        client.close();
    }

    @Test
    void aBlockIsTakenAsItWasAdded() {
        List<PayloadLocation> block = locations(7_000_000_000L, 3);
        store.add("bank", block).block(TIMEOUT);

        assertThat(store.take("other").blockOptional(TIMEOUT)).isEmpty();
        assertThat(store.count("bank").block(TIMEOUT)).isEqualTo(3);
        assertThat(store.take("bank").block(TIMEOUT)).isEqualTo(block);
        assertThat(store.take("bank").blockOptional(TIMEOUT)).isEmpty();
        assertThat(store.count("bank").block(TIMEOUT)).isZero();
    }

    /** Takers that are killed later change nothing: what they have taken is gone. */
    @Test
    void noLocationIsTakenTwiceWhileBlocksAreAdded() {
        ExecutorService threads = Executors.newFixedThreadPool(TAKERS);
        try {
            AtomicBoolean added = new AtomicBoolean();
            List<CompletableFuture<List<Long>>> takers = Stream.generate(
                            () -> CompletableFuture.supplyAsync(() -> takeAll(added), threads))
                    .limit(TAKERS)
                    .toList();
            for (int i = 0; i < BLOCKS; i++) {
                store.add("bank", locations(i * 100L, 1 + i % PayloadLocationStore.BLOCK_MAX))
                        .block(TIMEOUT);
            }
            added.set(true);

            List<Long> taken =
                    takers.stream().flatMap(taker -> taker.join().stream()).toList();

            assertThat(taken).hasSize(4 * (1 + 50) * 25).doesNotHaveDuplicates();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Until the pool is empty and nothing is added any more. */
    private List<Long> takeAll(AtomicBoolean added) {
        List<Long> taken = new ArrayList<>();
        while (true) {
            boolean isLast = added.get();
            List<PayloadLocation> block = store.take("bank").block(TIMEOUT);
            if (block != null) {
                block.forEach(location -> taken.add(location.id()));
            } else if (isLast) {
                return taken;
            }
        }
    }

    private static List<PayloadLocation> locations(long first, int count) {
        return LongStream.range(first, first + count)
                .mapToObj(id -> new PayloadLocation(id, new DynamicLocation("pix.example.com/qr/" + id)))
                .toList();
    }
}
