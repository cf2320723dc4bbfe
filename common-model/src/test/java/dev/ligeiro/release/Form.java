package dev.ligeiro.release;

import dev.ligeiro.message.MessageJson;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.store.LaneCodec;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.CashoutGuard;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodecProvider;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.IterableCodecProvider;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a file of a release contains, one a line: messages as their JSON, documents as extended JSON. */
enum Form {
    COMMANDS(
            Samples.commands().stream().map(MessageJson::write).map(Form::text),
            line -> text(MessageJson.write(MessageJson.readCommand(bytes(line)))),
            Form::withUnknownJsonFields),
    EVENTS(
            Samples.events().stream().map(MessageJson::write).map(Form::text),
            line -> text(MessageJson.write(MessageJson.readEvent(bytes(line)))),
            Form::withUnknownJsonFields),
    BOOK_EVENTS(
            Samples.bookEvents().stream().map(MessageJson::write).map(Form::text),
            line -> text(MessageJson.write(MessageJson.readBookEvent(bytes(line)))),
            Form::withUnknownJsonFields),
    TRANSACTIONS(
            Samples.transactions().stream().map(each -> written(new TransactionCodec(), each)),
            line -> rewritten(new TransactionCodec(), line),
            Form::withUnknownBsonFields),
    ENDPOINTS(
            Samples.endpoints().stream().map(each -> written(Documents.CODEC, EndpointDocument.of(each))),
            line -> written(Documents.CODEC, EndpointDocument.of(EndpointDocument.read(read(Documents.CODEC, line)))),
            Form::withUnknownBsonFields),
    FEEDS(
            Stream.of(written(Documents.CODEC, EndpointDocument.ofFeed(Samples.feed()))),
            line -> written(
                    Documents.CODEC, EndpointDocument.ofFeed(EndpointDocument.read(read(Documents.CODEC, line)))),
            Form::withUnknownBsonFields),
    GUARDS(
            Samples.guards().stream().map(Form::written),
            line -> written(GuardDocument.read(read(Documents.CODEC, line))),
            Form::withUnknownBsonFields),
    DELIVERIES(
            Samples.deliveries().stream().map(each -> written(new DeliveryCodec(), each)),
            line -> rewritten(new DeliveryCodec(), line),
            Form::withUnknownBsonFields),
    LANES(
            Samples.lanes().stream().map(each -> written(new LaneCodec(), each)),
            line -> rewritten(new LaneCodec(), line),
            Form::withUnknownBsonFields);

    private final List<String> samples;
    private final UnaryOperator<String> rewrite;
    private final UnaryOperator<String> unknownFields;

    Form(Stream<String> samples, UnaryOperator<String> rewrite, UnaryOperator<String> unknownFields) {
        this.samples = samples.toList();
        this.rewrite = rewrite;
        this.unknownFields = unknownFields;
    }

    /** What this version writes. */
    List<String> samples() {
        return samples;
    }

    /** Reads the line and writes it again. */
    JsonNode rewritten(String line) {
        return JsonMapper.shared().readTree(rewrite.apply(line));
    }

    /** The line with fields of a newer version in each object. */
    String withUnknownFields(String line) {
        return unknownFields.apply(line);
    }

    private static <T> String rewritten(Codec<T> codec, String line) {
        return written(codec, read(codec, line));
    }

    private static <T> T read(Codec<T> codec, String line) {
        return codec.decode(
                new BsonDocumentReader(BsonDocument.parse(line)),
                DecoderContext.builder().build());
    }

    private static String written(CashoutGuard guard) {
        Document document = new Document(GuardDocument.ID, guard.tenant().key());
        document.putAll(GuardDocument.of(guard));
        return written(Documents.CODEC, document);
    }

    private static <T> String written(Codec<T> codec, T value) {
        BsonDocument document = new BsonDocument();
        codec.encode(
                new BsonDocumentWriter(document),
                value,
                EncoderContext.builder().build());
        return json(document);
    }

    /** Extended JSON tells an int64 from an int32. */
    private static String json(BsonDocument document) {
        return document.toJson(
                JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build());
    }

    private static String withUnknownJsonFields(String line) {
        JsonNode message = JsonMapper.shared().readTree(line);
        addUnknownFields(message);
        return message.toString();
    }

    private static void addUnknownFields(JsonNode node) {
        node.forEach(Form::addUnknownFields);
        if (node instanceof ObjectNode object) {
            object.putObject("ofANewerVersion").putArray("a").add(1);
        }
    }

    private static String withUnknownBsonFields(String line) {
        BsonDocument document = BsonDocument.parse(line);
        addUnknownFields(document);
        return json(document);
    }

    private static void addUnknownFields(BsonValue value) {
        if (value instanceof BsonArray array) {
            array.forEach(Form::addUnknownFields);
        } else if (value instanceof BsonDocument document) {
            document.values().forEach(Form::addUnknownFields);
            document.append("ofANewerVersion", new BsonArray(List.of(new BsonInt32(1))));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** As the services configure their driver. */
    private static final class Documents {

        private static final Codec<Document> CODEC = CodecRegistries.withUuidRepresentation(
                        CodecRegistries.fromProviders(
                                new ValueCodecProvider(), new IterableCodecProvider(), new DocumentCodecProvider()),
                        UuidRepresentation.STANDARD)
                .get(Document.class);
    }
}
