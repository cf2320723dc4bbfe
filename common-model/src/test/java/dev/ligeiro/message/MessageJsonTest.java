package dev.ligeiro.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.ligeiro.fixture.Golden;
import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class MessageJsonTest {

    private static final String PROCESS = Golden.json("message/transaction.process.json");

    /** The request of the changes below. */
    private static final ChangeRef CHANGE =
            new ChangeRef(UUID.fromString("019cd895-b253-7abc-9def-0123456789ab"), "key-1");

    static Stream<Arguments> commands() {
        return Stream.of(
                Arguments.of("transaction.process", new TransactionCommand.Process(Transactions.goldenCashin())),
                Arguments.of(
                        "transaction.change",
                        new TransactionCommand.Change(
                                Transactions.ID,
                                CHANGE,
                                new ChangeAction.Refund(new Amount(5000), "return-1", "Two shirts"))),
                Arguments.of("transaction.due_check", new TransactionCommand.DueCheck(Transactions.ID)),
                Arguments.of(
                        "transaction.rail_answer",
                        new TransactionCommand.RailAnswer(
                                Transactions.ID,
                                Transactions.REFUND,
                                RailCallKind.SUBMIT,
                                1,
                                2,
                                Transactions.CREATED_AT,
                                new RailOutcome.Settled(
                                        new Settlement("E9988776620260310143114railDEF1", Transactions.CREATED_AT),
                                        List.of(new RailOutcome.Returned("D1", new Amount(100)))))),
                Arguments.of(
                        "transaction.rail_notice",
                        new TransactionCommand.RailNotice(
                                Transactions.ID, "pixapi", "E9988776620260310143114railDEF1", new Amount(15075))));
    }

    static Stream<Arguments> events() {
        Transaction analysed = Transactions.goldenCashout()
                .with(new Entry.StatusChanged(
                        Status.IN_ANALYSIS,
                        Transactions.CREATED_AT.plusMillis(4_877),
                        Source.RAIL,
                        "held_by_rail",
                        null,
                        null));
        Transaction refunded = Transactions.partlyRefundedCashin();
        return Stream.of(
                Arguments.of("transaction.created", TransactionEvent.of(analysed, 1)),
                Arguments.of("transaction.in_analysis", TransactionEvent.of(analysed, 2)),
                Arguments.of("transaction.refunded_partially", TransactionEvent.of(refunded, 3)),
                Arguments.of("transaction.refund_failed", TransactionEvent.of(refunded, 4)));
    }

    static Stream<Arguments> actions() {
        return Stream.of(
                Arguments.of("{\"type\":\"cancel\"}", new ChangeAction.Cancel()),
                Arguments.of("{\"type\":\"refund\"}", new ChangeAction.Refund(null, null, null)),
                Arguments.of(
                        "{\"type\":\"sandbox\",\"action\":\"analyze\"}",
                        new ChangeAction.Sandbox(SandboxAction.ANALYZE)));
    }

    static Stream<Arguments> outcomes() {
        return Stream.of(
                Arguments.of(
                        "{\"type\":\"settled\",\"settlement\":{\"endToEndId\":\"E1\",\"at\":\"2026-03-10T14:30:15.123Z\"},\"returned\":[]}",
                        new RailOutcome.Settled(new Settlement("E1", Transactions.CREATED_AT), List.of())),
                Arguments.of("{\"type\":\"settled\",\"returned\":[]}", RailOutcome.Settled.asAgreed()),
                Arguments.of(
                        "{\"type\":\"rejected\",\"reason\":\"rejected_by_rail\"}",
                        new RailOutcome.Rejected("rejected_by_rail")),
                Arguments.of("{\"type\":\"pending\"}", new RailOutcome.Pending()),
                Arguments.of("{\"type\":\"in_review\"}", new RailOutcome.InReview()),
                Arguments.of("{\"type\":\"not_started\"}", new RailOutcome.NotStarted()),
                Arguments.of("{\"type\":\"unknown\"}", new RailOutcome.Unknown()),
                Arguments.of("{\"type\":\"not_found\"}", new RailOutcome.NotFound()),
                Arguments.of(
                        "{\"type\":\"surplus\",\"payments\":[{\"endToEndId\":\"E2\",\"amount\":100}],\"outcome\":{\"type\":\"pending\"}}",
                        new RailOutcome.Surplus(
                                List.of(new RailOutcome.Payment("E2", new Amount(100))), new RailOutcome.Pending())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    void aCommandIsWrittenAndReadAsItsGoldenFile(String type, TransactionCommand command) {
        String golden = Golden.json("message/" + type + ".json");

        assertThat(text(MessageJson.write(command))).isEqualTo(golden);
        assertThat(MessageJson.readCommand(bytes(golden))).isEqualTo(command);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("events")
    void anEventIsWrittenAndReadAsItsGoldenFile(String type, TransactionEvent event) {
        String golden = Golden.json("message/" + type + ".json");

        assertThat(text(MessageJson.write(event))).isEqualTo(golden);
        assertThat(MessageJson.readEvent(bytes(golden))).isEqualTo(event);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("actions")
    void anActionIsWrittenAndReadAsItsJson(String json, ChangeAction action) {
        String command =
                "{\"type\":\"transaction.change\",\"transactionId\":\"%s\",\"change\":{\"id\":\"%s\"},\"action\":%s}"
                        .formatted(Transactions.ID, CHANGE.id(), json);
        TransactionCommand change =
                new TransactionCommand.Change(Transactions.ID, new ChangeRef(CHANGE.id(), null), action);

        assertThat(text(MessageJson.write(change))).isEqualTo(command);
        assertThat(MessageJson.readCommand(bytes(command))).isEqualTo(change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outcomes")
    void anOutcomeIsWrittenAndReadAsItsJson(String json, RailOutcome outcome) {
        String command =
                "{\"type\":\"transaction.rail_answer\",\"transactionId\":\"%s\",\"call\":\"inquire\",\"submission\":2,\"sequence\":2,\"askedAt\":\"%s\",\"outcome\":%s}"
                        .formatted(Transactions.ID, Transactions.CREATED_AT, json);
        TransactionCommand answer = new TransactionCommand.RailAnswer(
                Transactions.ID, null, RailCallKind.INQUIRE, 2, 2, Transactions.CREATED_AT, outcome);

        assertThat(text(MessageJson.write(answer))).isEqualTo(command);
        assertThat(MessageJson.readCommand(bytes(command))).isEqualTo(answer);
    }

    @Test
    void everyTypeIsWrittenInATest() {
        assertThat(commands().map(command -> command.get()[0]))
                .containsExactlyInAnyOrder(types(TransactionCommand.class));
        assertThat(commands().<Class<?>>map(command -> command.get()[1].getClass()))
                .containsExactlyInAnyOrder(TransactionCommand.class.getPermittedSubclasses());
        assertThat(actions().<Class<?>>map(action -> action.get()[1].getClass()))
                .containsExactlyInAnyOrder(ChangeAction.class.getPermittedSubclasses());
        assertThat(outcomes().<Class<?>>map(outcome -> outcome.get()[1].getClass()))
                .contains(RailOutcome.class.getPermittedSubclasses());
    }

    /** The codes are metric tags, and the types are those of the JSON. */
    @Test
    void theCodesAreThoseOfTheTypes() {
        assertThat(commands())
                .allSatisfy(command -> assertThat("transaction." + ((TransactionCommand) command.get()[1]).code())
                        .isEqualTo(command.get()[0]));
        assertThat(outcomes()).allSatisfy(outcome -> assertThat((String) outcome.get()[0])
                .startsWith("{\"type\":\"" + ((RailOutcome) outcome.get()[1]).code() + "\""));
    }

    @Provide
    Arbitrary<Transaction> transactions() {
        return TransactionArbitraries.transactions();
    }

    @Property
    void messagesRoundTripThroughJson(@ForAll("transactions") Transaction transaction) {
        TransactionCommand command = new TransactionCommand.Process(transaction);
        TransactionEvent event =
                TransactionEvent.of(transaction, transaction.history().sequence());

        assertThat(MessageJson.readCommand(MessageJson.write(command))).isEqualTo(command);
        assertThat(MessageJson.readEvent(MessageJson.write(event))).isEqualTo(event);
    }

    @Test
    void unknownFieldsAreIgnored() {
        assertThat(commands()).allSatisfy(arguments -> {
            TransactionCommand command = (TransactionCommand) arguments.get()[1];
            JsonNode newer = JsonMapper.shared().readTree(MessageJson.write(command));
            addUnknownFields(newer);

            assertThat(MessageJson.readCommand(bytes(newer.toString()))).isEqualTo(command);
        });
        assertThat(events()).allSatisfy(arguments -> {
            TransactionEvent event = (TransactionEvent) arguments.get()[1];
            JsonNode newer = JsonMapper.shared().readTree(MessageJson.write(event));
            addUnknownFields(newer);

            assertThat(MessageJson.readEvent(bytes(newer.toString()))).isEqualTo(event);
        });
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

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "5",
                "\"\"",
                "[]",
                "{}",
                "{",
                "\u0000",
                "{\"type\":null}",
                "{\"type\":1}",
                "{\"type\":\"transaction.unheard_of\"}",
                "{\"type\":\"transaction.created\"}", // an event
                "{\"type\":\"transaction.process\"}",
                "{\"type\":\"transaction.process\",\"transaction\":null}",
                "{\"type\":\"transaction.process\",\"transaction\":{}}",
                "{\"type\":\"transaction.process\",\"transaction\":\"\"}",
                "{\"type\":\"transaction.process\",\"transaction\":[]}",
                "{\"type\":\"transaction.sandbox\"}",
                "{\"type\":\"transaction.due_check\"}",
                "{\"type\":\"transaction.due_check\",\"transactionId\":\"1-1-1-1-1\"}",
                "{\"type\":\"transaction.change\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\"}",
                "{\"type\":\"transaction.change\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"change\":{\"id\":\"019cd827-d553-7abc-9def-0123456789ab\"}}",
                "{\"type\":\"transaction.change\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"change\":{},\"action\":{\"type\":\"cancel\"}}",
                "{\"type\":\"transaction.change\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"change\":{\"id\":\"019cd827-d553-7abc-9def-0123456789ab\"},\"action\":{\"type\":\"steal\"}}",
                "{\"type\":\"transaction.change\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"change\":{\"id\":\"019cd827-d553-7abc-9def-0123456789ab\"},\"action\":{\"type\":\"sandbox\"}}",
                "{\"type\":\"transaction.change\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"change\":{\"id\":\"019cd827-d553-7abc-9def-0123456789ab\"},\"action\":{\"type\":\"refund\",\"amount\":-1}}",
                "{\"type\":\"transaction.rail_answer\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"call\":\"submit\",\"submission\":1}",
                "{\"type\":\"transaction.rail_answer\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"call\":\"submit\",\"submission\":1,\"outcome\":{\"type\":\"rejected\"}}",
                "{\"type\":\"transaction.rail_answer\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"call\":\"submit\",\"outcome\":{\"type\":\"unknown\"}}",
                "{\"type\":\"transaction.rail_answer\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\",\"call\":\"ask\",\"submission\":1,\"outcome\":{\"type\":\"unknown\"}}",
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
                "\"cashin\"       | \"1\"",
                "\"cashin\"       | \"cash\"",
                "\"pending\"      | \"\"",
                "\"version\":1    | \"version\":1.5",
                "\"version\":1    | \"version\":\"1\"",
                "\"version\":1    | \"version\":null",
                "\"version\":1    | \"older\":1",
                "\"accepted\":false | \"accepted\":0",
                "\"accepted\":false | \"accepted\":\"false\"",
                "15075            | 150.75",
                "15075            | 15075.0",
                "15075            | \"15075\"",
                "15075            | -1",
                "15075            | 1e99",
                "15075            | null",
                "\"amount\"       | \"amounts\"",
                "\"name\"         | \"names\"",
                "\"Order 77\"     | 77",
                "\"Order 77\"     | [\"Order 77\"]",
                "\"Order 77\"     | null",
                "\"7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59\" | \"\"",
                "\"2026-03-10T14:30:15.123Z\" | \"\"",
                "\"2026-03-10T14:30:15.123Z\" | \"2026-02-30T14:30:15.123Z\"",
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

    private static void addUnknownFields(JsonNode node) {
        node.forEach(MessageJsonTest::addUnknownFields);
        if (node instanceof ObjectNode object) {
            object.putObject("ofANewerVersion").putArray("a").add(1);
        }
    }

    private static Object[] types(Class<?> messages) {
        JsonSubTypes kinds = messages.getAnnotation(JsonSubTypes.class);
        assertThat(kinds.value())
                .extracting(JsonSubTypes.Type::value)
                .containsExactlyInAnyOrder(messages.getPermittedSubclasses());
        return Arrays.stream(kinds.value()).map(JsonSubTypes.Type::name).toArray();
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
