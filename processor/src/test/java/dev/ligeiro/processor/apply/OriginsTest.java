package dev.ligeiro.processor.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import org.junit.jupiter.api.Test;

class OriginsTest {

    private static final Origin CREATE = new Origin("create-1", null);

    private final Transaction pending = Transactions.cashin(new Amount(1000)).accept();
    private final Transaction canceled =
            pending.moveTo(Status.CANCELED, Transactions.CREATED_AT.plusSeconds(1), Source.MERCHANT);
    private final Origins origins = new Origins();

    @Test
    void aCommandWithoutAnOriginKeepsTheOneBefore() {
        origins.add(new TransactionCommand.Process(pending), CREATE);
        origins.add(new TransactionCommand.DueCheck(pending.id()), Origin.NONE);

        assertThat(origins.of(TransactionEvent.of(canceled, 2))).isEqualTo(CREATE);
    }
}
