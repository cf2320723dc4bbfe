package dev.ligeiro.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.LaneCodec;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.webhook.AttemptOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodecProvider;
import org.bson.codecs.IterableCodecProvider;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every version reads what the releases before it have written: the folders of {@code src/test/resources/released}, one message or document
 * a line, messages as their JSON, documents as extended JSON. The folder of {@link #CURRENT} has what this version writes: a new kind or
 * field gets a line there. After a release its folder never changes: copy it to the next version and change the constant.
 */
class ReleasedFormsTest {

    /** The version of the next release. */
    private static final String CURRENT = "0.1.0";

    private static final Path FOLDER = Path.of("src", "test", "resources", "released");

    /** As the services configure their driver. */
    private static final Codec<Document> DOCUMENTS = CodecRegistries.withUuidRepresentation(
                    CodecRegistries.fromProviders(
                            new ValueCodecProvider(), new IterableCodecProvider(), new DocumentCodecProvider()),
                    UuidRepresentation.STANDARD)
            .get(Document.class);

    /** What a file contains, and how this version reads a line and writes it again. */
    enum Form {
        COMMANDS(line -> text(MessageJson.write(MessageJson.readCommand(bytes(line))))),
        EVENTS(line -> text(MessageJson.write(MessageJson.readEvent(bytes(line))))),
        BOOK_EVENTS(line -> text(MessageJson.write(MessageJson.readBookEvent(bytes(line))))),
        TRANSACTIONS(new TransactionCodec(), each -> each),
        ENDPOINTS(DOCUMENTS, each -> EndpointDocument.of(EndpointDocument.read(each))),
        FEEDS(DOCUMENTS, each -> EndpointDocument.ofFeed(EndpointDocument.read(each))),
        GUARDS(DOCUMENTS, each -> guard(GuardDocument.read(each))),
        DELIVERIES(new DeliveryCodec(), each -> each),
        LANES(new LaneCodec(), each -> each);

        private final UnaryOperator<String> rewrite;
        private final UnaryOperator<String> addUnknownFields;

        Form(UnaryOperator<String> rewrite) {
            this.rewrite = rewrite;
            this.addUnknownFields = line -> {
                JsonNode message = JsonMapper.shared().readTree(line);
                withUnknownFields(message);
                return message.toString();
            };
        }

        <T> Form(Codec<T> codec, UnaryOperator<T> rewrite) {
            this.rewrite = line -> written(codec, rewrite.apply(read(codec, line)));
            this.addUnknownFields = line -> {
                BsonDocument document = BsonDocument.parse(line);
                withUnknownFields(document);
                return json(document);
            };
        }

        private JsonNode rewritten(String line) {
            return JsonMapper.shared().readTree(rewrite.apply(line));
        }

        private List<String> lines(String version) throws IOException {
            return Files.readAllLines(FOLDER.resolve(version).resolve(name().toLowerCase(Locale.ROOT) + ".jsonl"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void thisVersionWritesTheFormsOfItsFolder(Form form) throws IOException {
        assertThat(form.lines(CURRENT)).isNotEmpty().allSatisfy(line -> assertThat(form.rewrite.apply(line))
                .isEqualTo(line));
    }

    @Test
    void theFolderHasEveryCommandActionOutcomeEntryAndAttempt() throws IOException {
        List<TransactionCommand> commands = commands();
        assertKinds(TransactionCommand.class, commands, command -> command);
        assertKinds(
                ChangeAction.class,
                commands,
                command -> command instanceof TransactionCommand.Change change ? change.action() : null);
        assertKinds(
                RailOutcome.class,
                commands,
                command -> command instanceof TransactionCommand.RailAnswer answer ? answer.outcome() : null);
        List<Entry> entries = read(Form.TRANSACTIONS, new TransactionCodec())
                .flatMap(transaction -> transaction.history().entries().stream())
                .toList();
        assertKinds(Entry.class, entries, entry -> entry);
        assertThat(read(Form.DELIVERIES, new DeliveryCodec()).flatMap(delivery -> delivery.attempts().stream()))
                .extracting("outcome")
                .contains((Object[]) AttemptOutcome.values());
    }

    private static <T> void assertKinds(Class<?> sealed, List<T> all, Function<T, Object> part) {
        assertThat(all.stream().map(part).flatMap(Stream::ofNullable).<Class<?>>map(Object::getClass))
                .contains(sealed.getPermittedSubclasses());
    }

    /** The codes are metric tags too. */
    @Test
    void theCodesAreTheTypesOfTheJson() throws IOException {
        assertThat(commands()).allSatisfy(command -> {
            String json = text(MessageJson.write(command));
            assertThat(json).startsWith("{\"type\":\"transaction." + command.code() + "\"");
            if (command instanceof TransactionCommand.RailAnswer answer) {
                assertThat(json)
                        .contains("\"outcome\":{\"type\":\"" + answer.outcome().code() + "\"");
            }
        });
    }

    static Stream<Arguments> released() throws IOException {
        try (Stream<Path> versions = Files.list(FOLDER)) {
            List<String> names =
                    versions.map(each -> each.getFileName().toString()).sorted().toList();
            return names.stream().flatMap(version -> Stream.of(Form.values()).map(form -> Arguments.of(version, form)));
        }
    }

    /** New fields may be added, and none may be lost or changed: a service writes back what it has read. */
    @ParameterizedTest(name = "{1} of {0}")
    @MethodSource("released")
    void aReleasedFormIsReadWithoutALoss(String version, Form form) throws IOException {
        assertThat(form.lines(version)).isNotEmpty().allSatisfy(line -> assertThat(
                        missing(JsonMapper.shared().readTree(line), form.rewritten(line), ""))
                .isEmpty());
    }

    @ParameterizedTest(name = "{1} of {0}")
    @MethodSource("released")
    void fieldsOfANewerVersionAreIgnored(String version, Form form) throws IOException {
        assertThat(form.lines(version)).allSatisfy(line -> assertThat(form.rewritten(form.addUnknownFields.apply(line)))
                .isEqualTo(form.rewritten(line)));
    }

    /** The places at which {@code after} lacks a field or has another value. */
    private static List<String> missing(JsonNode before, JsonNode after, String place) {
        if (before.isObject()) {
            return before.propertyStream()
                    .flatMap(field ->
                            missing(field.getValue(), after.path(field.getKey()), place + "." + field.getKey())
                                    .stream())
                    .toList();
        }
        if (before.isArray() && before.size() == after.size()) {
            return Stream.iterate(0, i -> i < before.size(), i -> i + 1)
                    .flatMap(i -> missing(before.path(i), after.path(i), place + "[" + i + "]").stream())
                    .toList();
        }
        return before.equals(after) ? List.of() : List.of("%s: %s, then %s".formatted(place, before, after));
    }

    private static List<TransactionCommand> commands() throws IOException {
        return Form.COMMANDS.lines(CURRENT).stream()
                .map(line -> MessageJson.readCommand(bytes(line)))
                .toList();
    }

    private static <T> Stream<T> read(Form form, Codec<T> codec) throws IOException {
        return form.lines(CURRENT).stream().map(line -> read(codec, line));
    }

    private static <T> T read(Codec<T> codec, String line) {
        return codec.decode(
                new BsonDocumentReader(BsonDocument.parse(line)),
                DecoderContext.builder().build());
    }

    private static Document guard(CashoutGuard guard) {
        Document document = new Document(GuardDocument.ID, guard.tenant().key());
        document.putAll(GuardDocument.of(guard));
        return document;
    }

    private static <T> String written(Codec<T> codec, T value) {
        return json(StoredValues.document(codec, value));
    }

    /** Extended JSON tells an int64 from an int32. */
    private static String json(BsonDocument document) {
        return document.toJson(
                JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build());
    }

    private static void withUnknownFields(JsonNode node) {
        node.forEach(ReleasedFormsTest::withUnknownFields);
        if (node instanceof ObjectNode object) {
            object.putObject("ofANewerVersion").putArray("a").add(1);
        }
    }

    private static void withUnknownFields(BsonValue value) {
        if (value instanceof BsonArray array) {
            array.forEach(ReleasedFormsTest::withUnknownFields);
        } else if (value instanceof BsonDocument document) {
            document.values().forEach(ReleasedFormsTest::withUnknownFields);
            document.append("ofANewerVersion", new BsonArray(List.of(new BsonInt32(1))));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
