package dev.ligeiro.processor.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.apply.BatchStores;
import dev.ligeiro.processor.rail.BankRails;
import dev.ligeiro.processor.rail.bank.RunningBank;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.testing.time.TestClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A bank with payments of which it has told nothing. */
class CatchUpIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** In so many passes each of the 72 hours has its look; a pass that reads an hour looks at fewer. */
    private static final int ROUND = 25;

    private final String name = "catch_up_it_" + UUID.randomUUID();
    private final MongoClient client = MongoClients.create(TestBrokers.mongodbUri(name));
    private final MongoDatabase database = client.getDatabase(name);
    private final RunningBank bank = new RunningBank(settings -> settings);
    private final TestClock clock = TestClock.ticking();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final BankRails rails = BankRails.of(bank, meters, clock);
    private final CopyOnWriteArrayList<String> published = new CopyOnWriteArrayList<>();
    private volatile boolean kafkaIsAway;
    private CatchUp catchUp = processor();

    @AfterEach
    void close() {
        bank.close();
        Mono.from(database.drop()).block(TIMEOUT);
        client.close();
    }

    @Test
    void whatTheBankHasNotToldForDaysIsFoundTheLatestFirst() {
        String old = paid(Duration.ofHours(70));
        String young = paid(Duration.ofHours(3));
        String now = paid(Duration.ofMinutes(3));
        String tooOld = paid(Duration.ofHours(75));
        pass(ROUND);

        assertThat(published).containsExactly(now, young, old).doesNotContain(tooOld);
        // the hour of each is read once
        assertThat(calls("payments")).isEqualTo(ROUND + 2);
    }

    @Test
    void anHourThatAgreesCostsOneCallAlsoAfterARestart() {
        paid(Duration.ofHours(3));
        pass(ROUND + 1);
        double read = calls("payments");
        double counted = calls("payments_count");
        catchUp = processor();
        pass(ROUND);

        assertThat(calls("payments_count") - counted).isEqualTo(3 * ROUND);
        assertThat(calls("payments") - read).as("of the last 30 minutes").isEqualTo(ROUND);
        assertThat(published).hasSize(1);
    }

    @Test
    void aPaymentThatIsDatedBackIsFoundWhenItsHourHasBeenReadBefore() {
        paid(Duration.ofHours(3));
        pass(ROUND + 1);

        String late = paid(Duration.ofHours(3));
        pass(ROUND);

        assertThat(published).contains(late).hasSize(2);
    }

    /** It was away for longer than the 30 minutes. */
    @Test
    void anHourIsReadAgainUntilKafkaHasTakenIt() {
        String lost = paid(Duration.ofHours(3));
        kafkaIsAway = true;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> pass(1)).hasMessageContaining("Kafka");
        }
        kafkaIsAway = false;
        pass(1);

        assertThat(published).containsExactly(lost);
    }

    /** Its 8 payments have 100 refunds each. With the fault, such a page stopped catch-up, and all later pages with it. */
    @Test
    void aPageThatIsTooLargeIsReadInSmallerOnes() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String payment = paid(Duration.ofMinutes(3));
            all.add(payment);
            for (int refund = 0; refund < 100; refund++) {
                bank.post(
                        "POST",
                        "/payer/refund",
                        "{\"e2e_id\":\"%s\",\"amount\":\"0.01\",\"nature\":\"ORIGINAL\"}".formatted(payment));
            }
        }
        pass(1);

        assertThat(published).containsExactlyInAnyOrderElementsOf(all);
        assertThat(calls("payments")).isGreaterThan(8);
    }

    @Test
    void aListThatPromisesPagesWithoutEndEndsAtAnEmptyOne() {
        String payment = paid(Duration.ofMinutes(3));
        bank.faults(1, "many_pages");
        pass(1);

        assertThat(published).containsExactly(payment);
        assertThat(calls("payments")).isEqualTo(2);
    }

    /** With the fault, it was a list without payments. */
    @Test
    void anAnswerThatIsNoJsonIsAFailure() {
        bank.faults(1, "broken_json");

        assertThatThrownBy(() -> pass(1)).hasMessageContaining("without JSON");
    }

    @Test
    void theHoursMoveOnWithTheClock() {
        String later = paid(Duration.ofMinutes(3));
        pass(ROUND);
        assertThat(published).containsExactly(later);

        published.clear();
        clock.move(Duration.ofHours(2));
        catchUp = processor();
        pass(1);
        assertThat(published).containsExactly(later);
    }

    private CatchUp processor() {
        PublishNotices publish = new PublishNotices(this::publish);
        return new CatchUp(
                rails.live(),
                new ReadPayments(
                        rails.rails(),
                        new UnknownPayments(BatchStores.transactions(database), BatchStores.unmatched(database)),
                        publish),
                new CatchUpLeaseStore(database) {
                    @Override
                    public Mono<Boolean> take(Instant now, Duration term) {
                        return Mono.just(true);
                    }
                },
                new OlderHoursStore(database),
                Settings.of(NoticeProperties.class),
                meters,
                clock);
    }

    private Mono<Void> publish(RailNotice notice) {
        return kafkaIsAway
                ? Mono.error(new IllegalStateException("Kafka is away"))
                : Mono.fromRunnable(() -> published.addIfAbsent(notice.endToEndId()));
    }

    private void pass(int times) {
        for (int i = 0; i < times; i++) {
            catchUp.run().block(TIMEOUT);
        }
    }

    /** A payment without a charge, of which the bank gives no notice. */
    private String paid(Duration ago) {
        return bank.post(
                        "POST",
                        "/payer/pay",
                        "{\"key\":\"%s\",\"amount\":\"7.00\",\"at\":\"%s\"}"
                                .formatted(bank.bank.pixKey(), Instant.now().minus(ago)))
                .path("e2e_id")
                .asString();
    }

    private double calls(String request) {
        return meters.find("ligeiro.rail.requests").tag("request", request).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }
}
