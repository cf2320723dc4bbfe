package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.pay;
import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static dev.ligeiro.testing.kafka.TopicReader.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands that cannot be processed become dead letters, and do not stop those before and after them in their partition. */
@Order(1)
class DeadLetterIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @RegisterExtension
    static final StartedProcessor PROCESSOR = new StartedProcessor();

    private static final TestEnvironment ENVIRONMENT = PROCESSOR.environment();

    @Test
    void aPoisonRecordBecomesADeadLetterAndDoesNotStopTheOthers() {
        Transaction before = ENVIRONMENT.stored(Transactions.cashin(new Amount(5011)));
        Transaction after = ENVIRONMENT.stored(Transactions.cashin(new Amount(5011)));
        byte[] poison = "{\"type\":\"transaction.melt\"}".getBytes(StandardCharsets.UTF_8);

        ENVIRONMENT.send(before.id(), MessageJson.write(process(before)));
        ENVIRONMENT.send(before.id(), poison);
        ENVIRONMENT.send(before.id(), MessageJson.write(process(after)));

        ENVIRONMENT.awaitAnnounced(before, "1 pending", "2 paid");
        ENVIRONMENT.awaitAnnounced(after, "1 pending", "2 paid");
        ConsumerRecord<byte[], byte[]> dead = awaitDead(before);
        assertThat(dead.value()).isEqualTo(poison);
        assertThat(header(dead, "reason")).contains("invalid_message");
        assertThat(header(dead, "original-offset"))
                .hasValueSatisfying(offset -> assertThat(offset).matches("[0-9]+"));
    }

    /** With the fault its batch was tried again for ever, because the dead letter was too large too. */
    @Test
    void aPoisonRecordThatIsTooLargeForTheDeadLetterTopicDoesNotStopTheOthers() {
        Transaction before = ENVIRONMENT.stored(Transactions.cashin(new Amount(5011)));
        Transaction after = ENVIRONMENT.stored(Transactions.cashin(new Amount(5011)));
        byte[] poison = "{".repeat(2_000_000).getBytes(StandardCharsets.UTF_8);

        ENVIRONMENT.send(before.id(), MessageJson.write(process(before)));
        ENVIRONMENT.flush();
        ENVIRONMENT.sendCompressed(before.id(), poison);
        ENVIRONMENT.send(before.id(), MessageJson.write(process(after)));

        ENVIRONMENT.awaitAnnounced(before, "1 pending", "2 paid");
        ENVIRONMENT.awaitAnnounced(after, "1 pending", "2 paid");
        ConsumerRecord<byte[], byte[]> dead = awaitDead(before);
        assertThat(dead.value()).isNull();
        assertThat(header(dead, "reason")).contains("invalid_message");
        assertThat(header(dead, "detail")).contains("too large, without its content: value of 2000000 bytes");
        assertThat(header(dead, "original-offset"))
                .hasValueSatisfying(offset -> assertThat(offset).matches("[0-9]+"));
    }

    @Test
    void anUnreadableTransactionBecomesADeadLetterAlone() {
        Transaction before = ENVIRONMENT.stored(Transactions.cashin(new Amount(15075)));
        Transaction broken = ENVIRONMENT.storedWithoutItsFields(Transactions.cashin(new Amount(15075)));
        Transaction after = ENVIRONMENT.stored(Transactions.cashin(new Amount(15075)));

        ENVIRONMENT.send(before.id(), MessageJson.write(pay(before)));
        ENVIRONMENT.send(before.id(), MessageJson.write(pay(broken)));
        ENVIRONMENT.send(before.id(), MessageJson.write(pay(after)));

        ENVIRONMENT.awaitAnnounced(before, "1 pending", "2 paid");
        ENVIRONMENT.awaitAnnounced(after, "1 pending", "2 paid");
        assertThat(header(awaitDead(before), "reason")).contains("failed");
    }

    @Test
    void aCommandForAnUnknownTransactionBecomesADeadLetter() {
        Transaction neverStored = Transactions.cashin(new Amount(15075));
        Transaction neverStoredEither = Transactions.cashout(new Amount(15075));

        ENVIRONMENT.send(process(neverStored));
        ENVIRONMENT.send(pay(neverStoredEither));

        assertThat(header(awaitDead(neverStored), "reason")).contains("transaction_not_found");
        assertThat(header(awaitDead(neverStoredEither), "reason")).contains("transaction_not_found");
    }

    /** With the fault, whoever could write to Kafka chose how much went to whom. */
    @Test
    void aCashoutIsNotSentWithOtherTermsThanTheStoredOnes() {
        Transaction agreed = ENVIRONMENT.stored(Transactions.cashout(new Amount(15_011)));
        Transaction more =
                Transactions.like(agreed).amount(new Amount(999_999_911)).build();
        Transaction toAnother = Transactions.like(agreed)
                .pixKey(PixKey.parse(PixKey.Type.EMAIL, "thief@example.com"))
                .build();

        ENVIRONMENT.send(process(more));
        ENVIRONMENT.send(process(toAnother));
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(ENVIRONMENT.deadCommands(agreed.id()))
                .hasSize(2));
        assertThat(ENVIRONMENT.deadCommands(agreed.id()))
                .allSatisfy(dead -> assertThat(header(dead, "reason")).contains("other_terms"));
        assertThat(ENVIRONMENT.read(agreed.id())).isEqualTo(agreed);

        ENVIRONMENT.send(process(agreed));
        ENVIRONMENT.awaitAnnounced(agreed, "1 pending", "2 in_process", "3 paid");
    }

    /** With the fault, an answer that no rail has given paid a cashin. */
    @Test
    void anAnswerToNoRailCallPaysNothing() {
        Transaction cashin = ENVIRONMENT.stored(Transactions.cashin(new Amount(15_075)));
        ENVIRONMENT.send(process(cashin));
        ENVIRONMENT.awaitAnnounced(cashin, "1 pending");

        ENVIRONMENT.send(new TransactionCommand.RailAnswer(
                cashin.tenant(),
                cashin.id(),
                null,
                RailCallKind.INQUIRE,
                1,
                1,
                Instant.now(),
                RailOutcome.Settled.asAgreed(),
                "none"));

        assertThat(header(awaitDead(cashin), "reason")).contains("no_rail_call");
        assertThat(ENVIRONMENT.announced(cashin.id())).containsExactly("1 pending");
    }

    private static ConsumerRecord<byte[], byte[]> awaitDead(Transaction transaction) {
        await().atMost(TIMEOUT)
                .until(() -> !ENVIRONMENT.deadCommands(transaction.id()).isEmpty());
        return ENVIRONMENT.deadCommands(transaction.id()).get(0);
    }
}
