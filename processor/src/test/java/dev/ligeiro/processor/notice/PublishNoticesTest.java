package dev.ligeiro.processor.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class PublishNoticesTest {

    private final List<RailNotice> published = new ArrayList<>();
    private boolean kafkaIsAway;

    private final PublishNotices publish = new PublishNotices(notice -> Mono.fromRunnable(() -> {
        if (kafkaIsAway) {
            throw new IllegalStateException("away");
        }
        published.add(notice);
    }));

    /** Its first copy may have been answered by a bank that did not show the payment yet. */
    @Test
    void aReportIsPublishedAsOftenAsItComes() {
        publish(notice(1, 0), notice(1, 0));
        publish(notice(1, 0));

        assertThat(published).containsExactly(notice(1, 0), notice(1, 0));
    }

    @Test
    void aReportThatKafkaDidNotTakeIsPublishedLater() {
        kafkaIsAway = true;
        assertThatThrownBy(() -> publish(notice(1, 0))).hasMessage("away");
        kafkaIsAway = false;

        publish(notice(1, 0));

        assertThat(published).containsExactly(notice(1, 0));
    }

    private void publish(RailNotice... notices) {
        publish.publish(List.of(notices)).block();
    }

    private static RailNotice notice(int number, int returned) {
        return new RailNotice(
                new TransactionId(new UUID(7, number)), "bank", "E" + number, new Amount(1000), new Amount(returned));
    }
}
