package dev.ligeiro.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ligeiro.fixture.Golden;
import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class MessageJsonTest {

    private static final String PROCESS = Golden.json("message/transaction.process.json");

    @Provide
    Arbitrary<Transaction> transactions() {
        return TransactionArbitraries.transactions();
    }

    @Property
    void messagesRoundTripThroughJson(@ForAll("transactions") Transaction transaction) {
        TransactionCommand command = new TransactionCommand.Process(Transaction.create(
                transaction.id(),
                transaction.tenant(),
                transaction.operation(),
                transaction.terms(),
                "key-1",
                Transactions.by(transaction.version())));
        TransactionEvent event =
                TransactionEvent.of(transaction, transaction.history().sequence());

        assertThat(MessageJson.readCommand(MessageJson.write(command))).isEqualTo(command);
        assertThat(MessageJson.readEvent(MessageJson.write(event))).isEqualTo(event);
    }

    /** Times without milliseconds, with nanoseconds and of far years have another length. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-03-10T14:30:15.123Z",
                "2026-03-10T14:30:15.007Z",
                "2026-03-10T14:30:15Z",
                "2026-03-10T14:30:15.123456789Z",
                "2024-02-29T23:59:59.999Z",
                "0999-03-10T14:30:15.123Z",
                "+10000-03-10T14:30:15.123Z",
                "-0001-03-10T14:30:15.123Z",
                "0000-01-01T00:00:00.001Z",
                "9999-12-31T23:59:59.999Z",
                "+1000000000-12-31T23:59:59.999Z",
                "1969-12-31T23:59:59.999Z"
            })
    void timesAreWrittenAndReadAsIso8601(String time) {
        String json =
                "{\"type\":\"transaction.due_check\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"at\":\"%s\"}"
                        .formatted(time);

        TransactionCommand read = MessageJson.readCommand(bytes(json));

        assertThat(((TransactionCommand.DueCheck) read).at()).isEqualTo(Instant.parse(time));
        assertThat(MessageJson.write(read)).asString().contains("\"" + time + "\"");
    }

    /** A dead letter would be made of each message. */
    @Test
    void anErrorOfTheJvmIsNoFaultOfTheMessage() {
        JsonMapper mapper = JsonMapper.builder().addModule(new MessageModule()).build();

        assertThatThrownBy(() -> mapper.readValue("{\"depth\":1}", Fatal.class)).isInstanceOf(StackOverflowError.class);
    }

    private record Fatal(int depth) {

        private Fatal {
            throw new StackOverflowError();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"reference\":null,"})
    void anOptionalFieldMayBeNullOrAbsent(String reference) {
        String json = PROCESS.replaceFirst("\"reference\":\"[^\"]+\",", reference);

        assertThat(MessageJson.readCommand(bytes(json)))
                .isInstanceOfSatisfying(TransactionCommand.Process.class, process -> assertThat(
                                process.transaction().terms().reference())
                        .isNull());
    }

    /** With the fault, a writer to Kafka announced a payment: the stored version is that of a new transaction too. */
    @Test
    void aCommandCannotBringAStatusOfItsOwn() {
        String paid =
                "{\"type\":\"status_changed\",\"status\":\"paid\",\"at\":\"2026-03-10T14:31:15Z\",\"source\":\"rail\"}";

        assertRefused(() -> MessageJson.readCommand(
                bytes(PROCESS.replace("\"source\":\"merchant\"}", "\"source\":\"merchant\"}," + paid))));
        assertRefused(() -> MessageJson.readCommand(bytes(PROCESS.replace("\"accepted\":false", "\"accepted\":true"))));
    }

    /** The processor that receives the answer writes it again in order to check it. */
    @Test
    void theSignatureOfAnAnswerIsOverAllOfIt() {
        UUID secret = UUID.randomUUID();
        Instant askedAt = Instant.parse("2026-03-10T14:31:15.120Z");
        RailOutcome.Settled settled = new RailOutcome.Settled(
                new Settlement("E1", askedAt.plusNanos(1)), List.of(new RailOutcome.Returned("é", new Amount(1))));
        TransactionCommand.RailAnswer answer = unsigned(askedAt, settled).signedWith(secret);
        String json = new String(MessageJson.write(answer), StandardCharsets.UTF_8);

        assertThat(read(json).isSignedWith(secret)).isTrue();
        assertThat(read(json).isSignedWith(UUID.randomUUID())).isFalse();
        assertThat(read(json).isSignedWith(null)).isFalse();
        assertThat(json).doesNotContain(secret.toString());
        Stream.of(
                        json.replace("\"tenant\":14", "\"tenant\":15"),
                        json.replace("0123456789ab", "0123456789ac"),
                        json.replace("inquire", "submit"),
                        json.replace("\"submission\":1", "\"submission\":2"),
                        json.replace("\"sequence\":2", "\"sequence\":1"),
                        json.replace("15.120Z", "15.121Z"),
                        json.replace("\"E1\"", "\"E2\""),
                        json.replace("\"amount\":1", "\"amount\":2"))
                .forEach(changed -> {
                    assertThat(changed).isNotEqualTo(json);
                    assertThat(read(changed).isSignedWith(secret)).as(changed).isFalse();
                });
    }

    private static TransactionCommand.RailAnswer unsigned(Instant askedAt, RailOutcome outcome) {
        return new TransactionCommand.RailAnswer(
                Transactions.TENANT, Transactions.ID, null, RailCallKind.INQUIRE, 1, 2, askedAt, outcome, "");
    }

    private static TransactionCommand.RailAnswer read(String json) {
        return (TransactionCommand.RailAnswer) MessageJson.readCommand(bytes(json));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "",
                "null",
                "5",
                "[]",
                "{}",
                "{",
                "\u0000",
                "{\"type\":null}",
                "{\"type\":\"transaction.unheard_of\"}",
                "{\"type\":\"transaction.created\"}", // an event
                "{\"type\":\"transaction.process\"}",
                "{\"type\":\"transaction.process\",\"transaction\":null}",
                "{\"type\":\"transaction.process\",\"transaction\":{}}",
                "{\"type\":\"transaction.due_check\"}",
                "{\"type\":\"transaction.due_check\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"at\":\"2026-03-10T14:30:15.123Z\"}",
                "{\"type\":\"transaction.due_check\",\"tenant\":14,\"transactionId\":\"1-1-1-1-1\",\"at\":\"2026-03-10T14:30:15.123Z\"}",
                "{\"type\":\"transaction.due_check\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\"}",
                "{\"type\":\"transaction.change\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\"}",
                "{\"type\":\"transaction.change\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"change\":{\"id\":\"019cd827-d553-7abc-9def-0123456789ab\"}}",
                "{\"type\":\"transaction.change\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"change\":{},\"action\":{\"type\":\"cancel\"}}",
                "{\"type\":\"transaction.change\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"change\":{\"id\":\"019cd827-d553-7abc-9def-0123456789ab\"},\"action\":{\"type\":\"steal\"}}",
                "{\"type\":\"transaction.change\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"change\":{\"id\":\"019cd827-d553-7abc-9def-0123456789ab\"},\"action\":{\"type\":\"sandbox\"}}",
                "{\"type\":\"transaction.change\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"change\":{\"id\":\"019cd827-d553-7abc-9def-0123456789ab\"},\"action\":{\"type\":\"refund\",\"amount\":-1}}",
                "{\"type\":\"transaction.rail_answer\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"call\":\"submit\",\"submission\":1}",
                "{\"type\":\"transaction.rail_answer\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"call\":\"submit\",\"submission\":1,\"outcome\":{\"type\":\"rejected\"}}",
                "{\"type\":\"transaction.rail_answer\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"call\":\"submit\",\"outcome\":{\"type\":\"unknown\"}}",
                "{\"type\":\"transaction.rail_answer\",\"tenant\":14,\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"call\":\"ask\",\"submission\":1,\"outcome\":{\"type\":\"unknown\"}}",
                "{\"type\":\"transaction.rail_notice\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"rail\":\"pixapi\"}",
            })
    void invalidCommandsAreRefused(String json) {
        assertRefused(() -> MessageJson.readCommand(bytes(json)));
    }

    @ParameterizedTest(name = "{1} for {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"019cd827-d553-7abc-9def-0123456789ab\" | 5",
                "\"019cd827-d553-7abc-9def-0123456789ab\" | \"1-1-1-1-1\"",
                "\"cashin\"       | 1",
                "\"cashin\"       | \"cash\"",
                "\"pending\"      | \"\"",
                "\"version\":1    | \"version\":1.5",
                "\"version\":1    | \"version\":\"1\"",
                "\"version\":1    | \"version\":null",
                "\"accepted\":false | \"accepted\":0",
                "15075            | 150.75",
                "15075            | \"15075\"",
                "15075            | -1",
                "15075            | 1e99",
                "\"amount\"       | \"amounts\"",
                "\"Order 77\"     | 77",
                "\"Order 77\"     | null",
                "\"7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59\" | \"\"",
                "\"2026-03-10T14:30:15.123Z\" | \"\"",
                "\"2026-03-10T14:30:15.123Z\" | \"2026-02-30T14:30:15.123Z\"",
                "\"2026-03-10T14:30:15.123Z\" | \"2026-03-10T14:30:60.123Z\"",
                "\"2026-03-10T14:30:15.123Z\" | \"2026-03-10T14:30:15,123Z\"",
                "\"2026-03-10T14:30:15.123Z\" | null",
                "\"history\":[    | \"history\":[null,",
                "\"history\":[    | \"history\":5,\"older\":[",
                "\"status_changed\" | \"unheard_of\"",
                "\"pending\"      | \"paid\"",
                "\"merchant\"     | \"nobody\"",
                "\"railCalls\":[] | \"railCalls\":[{}]",
                "\"railCalls\":[] | \"railCalls\":null",
                "}}               | }}}",
            })
    void aFieldOfAWrongTypeOrValueIsRefusedAndNotCoerced(String right, String wrong) {
        String json = PROCESS.replace(right, wrong);

        assertThat(json).isNotEqualTo(PROCESS);
        assertRefused(() -> MessageJson.readCommand(bytes(json)));
    }

    @ParameterizedTest(name = "{1} for {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "transaction.refund_failed | transaction.unheard_of",
                "\"failed\"               | \"unheard_of\"",
                "\"state\":\"failed\",      | ``",
                "\"count\":2              | \"count\":\"2\"",
                "\"refunded\":5000        | \"refunded\":50.00",
                "\"statuses\":[           | \"statuses\":[],\"older\":[",
                "019cd8cc-a0d3-7abc-9def-0123456789ab | 5",
                "\"at\":\"2026-03-10T17:30:20.123Z\" | \"on\":1",
            })
    void anEventWithAWrongFieldIsRefused(String right, String wrong) {
        String event = Golden.json("message/transaction.refund_failed.json");
        String json = event.replace(right, wrong);

        assertThat(json).isNotEqualTo(event);
        assertRefused(() -> MessageJson.readEvent(bytes(json)));
    }

    @Test
    void aRecordWithoutAValueIsRefused() {
        assertRefused(() -> MessageJson.readCommand(null));
        assertRefused(() -> MessageJson.readEvent(null));
    }

    @Test
    void tooDeepNestingIsRefused() {
        assertRefused(() -> MessageJson.readCommand(bytes("{\"type\":" + "[".repeat(100_000))));
    }

    @Property
    void aTruncatedCommandIsRefused(@ForAll @IntRange(max = 700) int length) {
        byte[] cut = Arrays.copyOf(bytes(PROCESS), length);

        assertRefused(() -> MessageJson.readCommand(cut));
    }

    @Property
    void aDamagedCommandIsReadOrIsAnInvalidMessage(@ForAll @IntRange(max = 700) int position, @ForAll byte damage) {
        byte[] damaged = bytes(PROCESS);
        damaged[position] = damage;

        Throwable thrown = catchThrowable(() -> MessageJson.readCommand(damaged));

        assertThat(thrown == null || thrown instanceof InvalidMessage)
                .as("%s", thrown)
                .isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"payer\":{                  | \"payer\":[\"Zoë da Conceição\"],\"x\":{",
                "\"+5511987654321\"           | {\"+5511987654321\":1}",
                "\"52998224725\"              | 52998224725",
                "\"zoe@example.com\"          | zoe@example.com",
                "\"cashin\"                   | \"Zoë da Conceição\"",
                "2026-03-10T14:30:15.123Z     | Zoë da Conceição",
                "019cd827-d553-7abc-9def-0123456789ab | Zoë da Conceição",
                "transaction.process          | Zoë da Conceição",
            })
    void refusalsContainNoPersonalData(String right, String wrong) {
        String json = PROCESS.replace(right, wrong);

        assertThatThrownBy(() -> MessageJson.readCommand(bytes(json)))
                .isInstanceOf(InvalidMessage.class)
                // a cause would be logged with it
                .hasNoCause()
                .message()
                .matches("[A-Za-z]+ at offset \\d+");
    }

    private static void assertRefused(ThrowingCallable read) {
        assertThatThrownBy(read)
                .isInstanceOf(InvalidMessage.class)
                .message()
                .matches("[A-Za-z]+ at offset -?\\d+|(null|no value) \\(expected: an object\\)");
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
