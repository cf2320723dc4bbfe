package dev.ligeiro.gateway.page.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class OpenPagesTest {

    private static final TransactionId ONE = TransactionId.at(Instant.EPOCH);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestClock clock = TestClock.frozen();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Map<TransactionId, Status> found = Map.of();
    private final OpenPages pages = new OpenPages(Mode.LIVE, batch -> Mono.just(found), clock, meters);

    @Test
    void aPageIsToldItsStatusAtOnceAndThenOnlyChanges() {
        Reader reader = open(ONE, Status.PENDING);

        look(Map.of());
        look(Map.of(ONE, Status.IN_ANALYSIS));
        look(Map.of(ONE, Status.IN_ANALYSIS));
        look(Map.of(ONE, Status.PAID));

        assertThat(reader.statuses).containsExactly(Status.PENDING, Status.IN_ANALYSIS, Status.PAID);
        assertThat(reader.ended).isTrue();
        assertThat(openPages()).isZero();
    }

    @Test
    void allPagesOfATransactionAreTold() {
        Reader first = open(ONE, Status.PENDING);
        Reader second = open(ONE, Status.PENDING);

        look(Map.of(ONE, Status.EXPIRED));

        assertThat(first.statuses).containsExactly(Status.PENDING, Status.EXPIRED);
        assertThat(second.statuses).containsExactly(Status.PENDING, Status.EXPIRED);
        assertThat(openPages()).isZero();
    }

    @Test
    void anEndedTransactionNeedsNoPlace() {
        Reader reader = open(ONE, Status.PAID);

        assertThat(reader.statuses).containsExactly(Status.PAID);
        assertThat(reader.ended).isTrue();
        assertThat(openPages()).isZero();
    }

    @Test
    void theStatusIsRepeatedAfterHalfAMinuteOfSilence() {
        Reader reader = open(ONE, Status.PENDING);

        clock.move(Duration.ofSeconds(29));
        look(Map.of());
        assertThat(reader.statuses).hasSize(1);
        clock.move(SECOND);
        look(Map.of());
        look(Map.of());

        assertThat(reader.statuses).containsExactly(Status.PENDING, Status.PENDING);
    }

    @Test
    void aStreamEndsAfterAQuarterOfAnHourAndThePageComesBackSoon() {
        Reader reader = open(ONE, Status.PENDING);

        clock.move(Duration.ofMinutes(15));
        look(Map.of());

        assertThat(reader.ended).isTrue();
        assertThat(reader.reconnectAfter).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @Test
    void aClockThatIsSetBackNeitherSilencesAStreamNorLengthensIt() {
        Reader reader = open(ONE, Status.PENDING);

        clock.move(Duration.ofHours(-1));
        look(Map.of());
        clock.move(Duration.ofSeconds(30));
        look(Map.of());
        assertThat(reader.statuses).containsExactly(Status.PENDING, Status.PENDING);
        clock.move(Duration.ofMinutes(15));
        look(Map.of());

        assertThat(reader.ended).isTrue();
    }

    @Test
    void aPageWithoutAPlaceIsToldItsStatusAndComesBackLater() {
        int places = OpenPages.places(Mode.LIVE, Runtime.getRuntime().maxMemory());
        for (int i = 0; i < places; i++) {
            open(TransactionId.at(Instant.EPOCH), Status.PENDING);
        }

        assertSlow(open(ONE, Status.PENDING));
        assertThat(openPages()).isEqualTo(places);
    }

    @ParameterizedTest
    @CsvSource({"160000000, 1249, 416", "960000000, 7500, 2500", "8000000000, 7500, 2500"})
    void thePagesTakeAtMostAPartOfTheHeapAndEachModeItsOwn(long heapBytes, int live, int test) {
        assertThat(OpenPages.places(Mode.LIVE, heapBytes)).isEqualTo(live);
        assertThat(OpenPages.places(Mode.TEST, heapBytes)).isEqualTo(test);
    }

    @Test
    void oneTransactionHasTenPlaces() {
        Reader first = open(ONE, Status.PENDING);
        for (int i = 1; i < 10; i++) {
            open(ONE, Status.PENDING);
        }

        assertSlow(open(ONE, Status.PENDING));
        assertThat(openPages()).isEqualTo(10);
        first.leave();
        assertThat(open(ONE, Status.PENDING).ended).isFalse();
    }

    @Test
    void aPageThatLeavesFreesItsPlace() {
        Reader reader = open(ONE, Status.PENDING);
        reader.leave();

        assertThat(openPages()).isZero();
    }

    @Test
    void atTheEndAllStreamsEndAndLaterOnesAtOnce() {
        Reader before = open(ONE, Status.PENDING);

        pages.stop();

        assertThat(before.ended).isTrue();
        Reader after = open(ONE, Status.PENDING);
        assertThat(after.statuses).containsExactly(Status.PENDING);
        assertThat(after.ended).isTrue();
        assertThat(after.reconnectAfter).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    /** The look comes between the two steps of the request: its page is among the open ones, and has not been told anything yet. */
    @Test
    void aLookBeforeTheFirstStatusIsNotTakenBackByIt() {
        List<OpenPages.Told> told = Flux.<OpenPages.Told>create(sink -> {
                    OpenPages.StatusStream page = new OpenPages.StatusStream(sink, Status.PENDING, Duration.ZERO);
                    page.look(Status.IN_ANALYSIS, Duration.ZERO);
                    page.tell(SECOND);
                    page.close();
                })
                .collectList()
                .block();

        assertThat(told)
                .containsExactly(
                        new OpenPages.Told(Status.IN_ANALYSIS, null), new OpenPages.Told(Status.IN_ANALYSIS, SECOND));
    }

    private static void assertSlow(Reader reader) {
        assertThat(reader.statuses).containsExactly(Status.PENDING);
        assertThat(reader.ended).isTrue();
        assertThat(reader.reconnectAfter).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(40));
    }

    private Reader open(TransactionId id, Status status) {
        return new Reader(id, status);
    }

    private void look(Map<TransactionId, Status> statuses) {
        found = statuses;
        pages.run().block();
    }

    private int openPages() {
        return (int) meters.get("ligeiro.gateway.checkout.pages").gauge().value();
    }

    private final class Reader {

        private final List<Status> statuses = new ArrayList<>();
        private Duration reconnectAfter = Duration.ZERO;
        private boolean ended;
        private final Disposable subscription;

        Reader(TransactionId id, Status status) {
            subscription =
                    pages.open(id, status).subscribe(this::take, failure -> statuses.clear(), () -> ended = true);
        }

        private void take(OpenPages.Told told) {
            statuses.add(told.status());
            if (told.reconnectAfter() != null) {
                reconnectAfter = told.reconnectAfter();
            }
        }

        void leave() {
            subscription.dispose();
        }
    }
}
