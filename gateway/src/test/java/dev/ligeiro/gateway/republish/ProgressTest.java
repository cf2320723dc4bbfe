package dev.ligeiro.gateway.republish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
    private static final TransactionId OLD = TransactionId.at(NOW.minusSeconds(900));
    private static final TransactionId YOUNG = TransactionId.at(NOW.minusSeconds(300));
    private static final TransactionId OTHER = TransactionId.at(NOW.minusSeconds(100));

    private static final Progress TWO_OPEN = new Progress(
            NOW.minusSeconds(200),
            List.of(new Republished(YOUNG, 1, NOW.minusSeconds(90)), new Republished(OLD, 2, NOW.minusSeconds(600))));

    @Test
    void acceptedOnesAreDroppedAndThoseNotLookedAtStay() {
        assertThat(TWO_OPEN.keep(List.of(YOUNG), Set.of()).openIds()).containsExactly(OLD);
        assertThat(TWO_OPEN.keep(List.of(YOUNG, OLD), Set.of(OLD)).openIds()).containsExactly(OLD);
        assertThat(TWO_OPEN.keep(List.of(YOUNG, OLD), Set.of(OLD, YOUNG))).isEqualTo(TWO_OPEN);
    }

    @Test
    void afterAClockThatWasAheadTheLastDayIsScannedAgain() {
        Progress ahead = new Progress(
                NOW.plusMillis(1),
                List.of(
                        new Republished(OLD, 2, NOW.plusSeconds(600)),
                        new Republished(YOUNG, 1, NOW.minusSeconds(90))));

        assertThat(ahead.isAhead(NOW)).isTrue();
        assertThat(ahead.isAhead(NOW.plusMillis(1))).isFalse();
        assertThat(ahead.rescan(NOW))
                .isEqualTo(new Progress(
                        NOW.minus(Duration.ofDays(1)),
                        List.of(new Republished(OLD, 2, NOW), new Republished(YOUNG, 1, NOW.minusSeconds(90)))));
    }

    @Test
    void copiesAreCountedPerTransaction() {
        assertThat(TWO_OPEN.republish(List.of(OLD, OTHER), NOW).open())
                .containsExactly(
                        new Republished(YOUNG, 1, NOW.minusSeconds(90)),
                        new Republished(OLD, 3, NOW),
                        new Republished(OTHER, 1, NOW));
    }

    @Test
    void theLongestWaitingIsDueFirst() {
        RepublishSchedule schedule =
                new RepublishSchedule(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofHours(1));

        assertThat(TWO_OPEN.due(schedule, NOW)).containsExactly(OLD, YOUNG);
        assertThat(TWO_OPEN.due(schedule, NOW.minusSeconds(31))).containsExactly(OLD);
        assertThat(TWO_OPEN.due(schedule, NOW.minusSeconds(481))).isEmpty();
    }

    @Test
    void itsDocumentCanBeReadBack() {
        assertThat(ProgressBson.read(ProgressBson.write(TWO_OPEN))).isEqualTo(TWO_OPEN);
    }

    /** The document of the lease had the time of the last pass and no progress. */
    @Test
    void aDocumentOfAnEarlierVersionHasNoProgress() {
        BsonDocument earlier = new BsonDocument("_id", new BsonString("republish"));

        assertThat(ProgressBson.read(earlier)).isEqualTo(Progress.NONE);
    }

    /** MongoDB refuses a document of more than 16 MiB. */
    @Test
    void theMostOpenTransactionsFitOneDocument() {
        Progress most = new Progress(
                NOW,
                IntStream.range(0, 100_000)
                        .mapToObj(i -> new Republished(TransactionId.at(NOW), Integer.MAX_VALUE, NOW))
                        .toList());

        int bytes = new RawBsonDocument(ProgressBson.write(most), new BsonDocumentCodec())
                .getByteBuffer()
                .remaining();

        assertThat(bytes).isLessThan(8 * 1024 * 1024);
    }
}
