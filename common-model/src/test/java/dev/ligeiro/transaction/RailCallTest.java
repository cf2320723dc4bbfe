package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RailCallTest {

    private static final Instant AT = Transactions.CREATED_AT;
    private static final RailCall FIRST = RailCall.first(null, AT, AT.plusSeconds(10));

    @Test
    void anAcknowledgementIsKept() {
        RailCall acknowledged = FIRST.acknowledged(AT.plusSeconds(30));

        assertThat(acknowledged).isEqualTo(new RailCall(null, 1, true, true, AT, null, 0, null, AT.plusSeconds(30)));
        assertThat(List.of(
                        acknowledged.asked(AT),
                        acknowledged.waitingUntil(AT),
                        acknowledged.notStarted(AT),
                        acknowledged.repeated(AT, AT),
                        acknowledged.takenOver(AT, AT),
                        acknowledged.rejected("duplicate_id", AT)))
                .allMatch(RailCall::acknowledged);
    }

    @Test
    void theTimeOfAReportIsKept() {
        RailCall reported = FIRST.reported(AT.plusSeconds(5), AT.plusSeconds(30));

        assertThat(reported)
                .isEqualTo(new RailCall(null, 1, true, false, AT, AT.plusSeconds(5), 1, null, AT.plusSeconds(30)));
        assertThat(List.of(reported.asked(AT), reported.waitingUntil(AT), reported.notStarted(AT)))
                .allMatch(call -> AT.plusSeconds(5).equals(call.reportedAt()));
    }

    @Test
    void onlyAQuestionFromBeforeTheReportSaysNothingAboutIt() {
        RailCall reported = FIRST.reported(AT.plusSeconds(5), AT.plusSeconds(30));

        assertThat(reported.isReportedAfter(AT.plusMillis(4_999))).isTrue();
        assertThat(reported.isReportedAfter(AT.plusSeconds(5))).isFalse();
        assertThat(FIRST.isReportedAfter(AT)).isFalse();
    }

    @Test
    void theSubmissionAfterARefusalForNowCountsAndKeepsTheBackOff() {
        RailCall busy = FIRST.notStarted(AT.plusSeconds(30));

        assertThat(busy).isEqualTo(new RailCall(null, 1, false, false, AT, null, 1, null, AT.plusSeconds(30)));
        assertThat(busy.takenOver(AT.plusSeconds(40), AT.plusSeconds(50)))
                .isEqualTo(new RailCall(null, 2, true, false, AT.plusSeconds(40), null, 1, null, AT.plusSeconds(50)));
    }

    @Test
    void aRefusalIsKeptUntilAnInquiryHasConfirmedIt() {
        RailCall refused = FIRST.takenOver(AT, AT.plusSeconds(20)).rejected("rejected_by_rail", AT.plusSeconds(30));

        assertThat(refused.rejection()).isEqualTo("rejected_by_rail");
        assertThat(refused.asked(AT.plusSeconds(40)).rejection()).isEqualTo("rejected_by_rail");
        assertThat(refused.submissions()).isEqualTo(2);
    }

    @Test
    void timesAreTruncatedToTheMillisecond() {
        assertThat(RailCall.first(null, AT.plusNanos(999_999), AT.plusNanos(1_999_999)))
                .isEqualTo(RailCall.first(null, AT, AT.plusMillis(1)));
    }
}
