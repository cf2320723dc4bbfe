package dev.ligeiro.processor.rail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The ledger in MongoDB. */
@Execution(ExecutionMode.SAME_THREAD)
class LedgerStoreIT {

    private static final Instant NOW = Instant.parse("2026-03-10T14:31:00.456Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String DATABASE = "processor_ledger_it";
    private static final Queue<String> COMMANDS = new ConcurrentLinkedQueue<>();
    private static final MongoClient CLIENT = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri(DATABASE)))
            .addCommandListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    COMMANDS.add(event.getCommandName());
                }
            })
            .build());

    private final LedgerStore store = new LedgerStore(CLIENT.getDatabase(DATABASE));

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @Test
    void anIdThatWasNeverSubmittedHasNoEntry() {
        assertThat(store.find(UUID.randomUUID()).blockOptional(TIMEOUT)).isEmpty();
    }

    @Test
    void theFirstSubmissionIsRecorded() {
        LedgerEntry first = LedgerEntry.cashout(Transactions.cashout(new Amount(1018)), NOW);

        assertThat(store.submit(first).block(TIMEOUT)).isEqualTo(first);
        assertThat(store.find(first.id()).block(TIMEOUT)).isEqualTo(first);
    }

    @Test
    void aLaterSubmissionOnlyCounts() {
        Transaction cashout = Transactions.cashout(new Amount(1000));
        LedgerEntry first = LedgerEntry.cashout(cashout, NOW);
        store.submit(first).block(TIMEOUT);
        LedgerEntry other = new LedgerEntry(
                first.id(),
                LedgerEntry.Kind.CASHOUT,
                cashout.id(),
                new Amount(1),
                LedgerEntry.State.REJECTED,
                1,
                NOW.plusSeconds(60),
                NOW.plusSeconds(60));

        LedgerEntry counted = new LedgerEntry(
                first.id(), first.kind(), cashout.id(), first.amount(), first.state(), 2, NOW, NOW.plusSeconds(60));
        assertThat(store.submit(other).block(TIMEOUT)).isEqualTo(counted);
        assertThat(store.find(first.id()).block(TIMEOUT)).isEqualTo(counted);
    }

    /** The first one is sent at once, the others while it is under way. */
    @Test
    void submissionsAndInquiriesOfABatchShareTheirCalls() {
        List<LedgerEntry> entries = IntStream.range(0, 400)
                .mapToObj(i -> LedgerEntry.cashout(Transactions.cashout(new Amount(1000 + i)), NOW))
                .toList();
        COMMANDS.clear();

        List<LedgerEntry> recorded = together(entries.stream().map(store::submit));
        List<LedgerEntry> found = together(entries.stream().map(LedgerEntry::id).map(store::find));

        assertThat(recorded).isEqualTo(entries);
        assertThat(found).isEqualTo(entries);
        assertThat(COMMANDS.stream().filter("update"::equals)).hasSizeBetween(1, 100);
        assertThat(COMMANDS.stream().filter("find"::equals)).hasSizeBetween(1, 100);
    }

    @Test
    void theSameIdTwiceInABatchCountsTwice() {
        LedgerEntry first = LedgerEntry.cashout(Transactions.cashout(new Amount(1000)), NOW);
        UUID unknown = UUID.randomUUID();

        List<LedgerEntry> recorded = together(Stream.of(first, first, first).map(store::submit));

        assertThat(recorded).extracting(LedgerEntry::state).containsOnly(LedgerEntry.State.SETTLED);
        assertThat(Objects.requireNonNull(store.find(first.id()).block(TIMEOUT)).submissions())
                .isEqualTo(3);
        assertThat(store.find(unknown).blockOptional(TIMEOUT)).isEmpty();
    }

    /** {@code submit} and {@code find} begin when they are called, so all of them are called before the first is awaited. */
    private static List<LedgerEntry> together(Stream<Mono<LedgerEntry>> calls) {
        return Objects.requireNonNull(Flux.fromIterable(calls.toList())
                .flatMapSequential(call -> call, 500)
                .collectList()
                .block(TIMEOUT));
    }
}
