package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class LongHistoriesTest {

    private static final TransactionId ANOTHER =
            new TransactionId(UUID.fromString("019cd895-b253-7abc-9def-00000000000c"));

    private final LongHistories longHistories = new LongHistories();
    private final Transaction large = Transactions.largest();
    private final Transaction small = Transactions.cashout(ANOTHER, new Amount(15075));

    @Test
    void transactionsWithALongHistoryComeLastAndKeepTheOrderOfTheirCommands() {
        ReceivedCommand first = cancel(large.id());
        ReceivedCommand second = cancel(small.id());
        ReceivedCommand third = cancel(large.id());

        assertThat(longHistories.last(List.of(first, second, third)))
                .containsExactly(List.of(first, second, third), List.of());

        longHistories.remember(large);
        longHistories.remember(small);

        assertThat(longHistories.last(List.of(first, second, third)))
                .containsExactly(List.of(second), List.of(first, third));
    }

    private static ReceivedCommand cancel(TransactionId id) {
        return new ReceivedCommand(
                new TransactionCommand.Change(
                        Transactions.TENANT, id, new ChangeRef(UUID.randomUUID(), null), new ChangeAction.Cancel()),
                new ConsumerRecord<>("commands", 0, 0, new byte[0], new byte[0]));
    }
}
