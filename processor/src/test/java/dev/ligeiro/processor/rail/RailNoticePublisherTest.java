package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.TransactionCommand;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class RailNoticePublisherTest {

    @Test
    void aReportBecomesACommandOfItsTransaction() {
        RecordedNotices recorded = new RecordedNotices();
        TransactionCommand.RailNotice notice =
                new TransactionCommand.RailNotice(Transactions.ID, "bank", Transactions.END_TO_END_ID, null);

        StepVerifier.create(recorded.door().publish(notice)).verifyComplete();

        assertThat(recorded.published()).containsExactly(notice);
        assertThat(recorded.keys()).containsExactly(Transactions.ID.toString());
    }
}
