package dev.ligeiro.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.ligeiro.fixture.Golden;
import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

    static Stream<Arguments> commands() {
        return Stream.of(
                Arguments.of("transaction.process", new TransactionCommand.Process(Transactions.goldenCashin())),
                Arguments.of(
                        "transaction.sandbox", new TransactionCommand.Sandbox(Transactions.ID, SandboxAction.PAY)));
    }

    static Stream<Arguments> events() {
        Transaction analysed = Transactions.goldenCashout()
                .moveTo(
                        Status.IN_ANALYSIS,
                        Transactions.CREATED_AT.plusMillis(4_877),
                        StatusEvent.Source.RAIL,
                        "held_by_rail");
        return Stream.of(
                Arguments.of("transaction.created", TransactionEvent.of(analysed, 1)),
                Arguments.of("transaction.status_changed", TransactionEvent.of(analysed, 2)));
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

    @Test
    void everyMessageTypeHasAGoldenFile() {
        assertThat(commands().map(command -> command.get()[0]))
                .containsExactlyInAnyOrder(types(TransactionCommand.class));
        assertThat(events().map(event -> event.get()[0])).containsExactlyInAnyOrder(types(TransactionEvent.class));
    }

    @Provide
    Arbitrary<Transaction> transactions() {
        return TransactionArbitraries.transactions();
    }

    @Property
    void messagesRoundTripThroughJson(@ForAll("transactions") Transaction transaction) {
        TransactionCommand command = new TransactionCommand.Process(transaction);
        TransactionEvent event = TransactionEvent.of(transaction, transaction.version());

        assertThat(MessageJson.readCommand(MessageJson.write(command))).isEqualTo(command);
        assertThat(MessageJson.readEvent(MessageJson.write(event))).isEqualTo(event);
    }

    @Test
    void unknownFieldsAreIgnored() {
        JsonNode newer = JsonMapper.shared().readTree(PROCESS);
        addUnknownFields(newer);

        assertThat(MessageJson.readCommand(bytes(newer.toString())))
                .isEqualTo(new TransactionCommand.Process(Transactions.goldenCashin()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"reference\":null,"})
    void anOptionalFieldMayBeNullOrAbsent(String reference) {
        String json = PROCESS.replaceFirst("\"reference\":\"[^\"]+\",", reference);

        assertThat(MessageJson.readCommand(bytes(json)))
                .isInstanceOfSatisfying(
                        TransactionCommand.Process.class,
                        process -> assertThat(process.transaction().reference()).isNull());
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
                "{\"type\":\"transaction.sandbox\",\"transactionId\":\"019cd827-d553-7abc-9def-0123456789ab\"}",
                "{\"type\":\"transaction.sandbox\",\"transactionId\":\"1-1-1-1-1\",\"action\":\"pay\"}",
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
                "\"events\":[     | \"events\":[null,",
                "\"sequence\":1   | \"sequence\":0",
                "\"MERCHANT\"     | \"NOBODY\"",
                "}]}}             | }]}}}",
            })
    void aFieldOfAWrongTypeOrValueIsRefusedAndNotCoerced(String right, String wrong) {
        String json = PROCESS.replace(right, wrong);

        assertThat(json).isNotEqualTo(PROCESS);
        assertRefused(() -> MessageJson.readCommand(bytes(json)));
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
