package dev.ligeiro.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.Dispatches;
import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.lane.LaneMark;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchRowsTest {

    @ParameterizedTest
    @CsvSource({
        // ended, running, not started, whether an earlier attempt was slow or failed, whether the endpoint is slow
        "0, 1, 0, false, true",
        "9, 10, 0, false, true",
        "59, 20, 400, false, true",
        "8, 2, 0, false, false",
        "8, 2, 0, true, true",
        "9, 1, 0, true, true",
        "10, 1, 0, true, false",
        // a backlog of a quick endpoint: 20 permits were in use all the time
        "80, 20, 400, true, false",
        // no attempt was made, because the tenant is at its limit
        "0, 0, 5, true, false",
    })
    void anEndpointIsSlowIfTooManyAttemptsDoNotEnd(
            int ended, int running, int notStarted, boolean again, boolean slow) {
        assertThat(BatchRows.isSlow(ended, running, notStarted, again)).isEqualTo(slow);
    }

    @ParameterizedTest
    @CsvSource({"FFSFFF, 3", "FFS, 0", "SF, 1", "FFF, 3"})
    void aSuccessEndsARowOfFailures(String outcomes, int failures) {
        Instant now = Dispatches.AT.plusSeconds(1);
        Dispatch dispatch = Dispatches.to(Dispatches.endpoint(1, new Tenant(2)));
        BatchRows rows = new BatchRows(Set.of(), Set.of(), now, Duration.ofSeconds(10));
        for (char outcome : outcomes.toCharArray()) {
            boolean delivered = outcome == 'S';
            Attempt attempt = new Attempt(
                    now,
                    delivered ? AttemptOutcome.DELIVERED : AttemptOutcome.REJECTED,
                    delivered ? 204 : 500,
                    Duration.ofMillis(5));
            rows.attempted(
                    new Completed(dispatch, attempt, null),
                    delivered
                            ? Delivery.ended(
                                    dispatch.id(),
                                    dispatch.eventType(),
                                    dispatch.eventAt(),
                                    DeliveryStatus.DELIVERED,
                                    List.of(attempt),
                                    now)
                            : dispatch.scheduled(now.plusSeconds(5)));
        }
        assertThat(rows.marks()).extracting(LaneMark::failures).containsExactly(failures);
    }
}
