package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Status;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;

/** Reads the fields of {@link #FIELDS}, which a query must project. */
final class ListRowCodec implements Codec<ListRow> {

    private static final String NAME = TransactionFields.PAYER + "." + TransactionFields.NAME;
    private static final String PHONE = TransactionFields.PAYER + "." + TransactionFields.PHONE;
    private static final String DOCUMENT = TransactionFields.PAYER + "." + TransactionFields.DOCUMENT;
    private static final String PIX_KEY = TransactionFields.PIX_KEY + "." + TransactionFields.VALUE;

    static final List<String> FIELDS = List.of(
            TransactionFields.ID, TransactionFields.STATUS, TransactionFields.PLATFORM, NAME, PHONE, DOCUMENT, PIX_KEY);

    private static final Map<String, Status> STATUSES = new HashMap<>();

    static {
        for (Status status : Status.values()) {
            STATUSES.put(status.code(), status);
        }
    }

    @Override
    public ListRow decode(BsonReader reader, DecoderContext context) {
        Map<String, UUID> ids = new HashMap<>(4);
        Map<String, String> texts = new HashMap<>(16);
        read(reader, "", ids, texts);
        return new ListRow(
                required(ids.get(TransactionFields.ID)),
                required(STATUSES.get(texts.get(TransactionFields.STATUS))),
                required(ids.get(TransactionFields.PLATFORM)),
                required(texts.get(NAME)),
                required(texts.get(PHONE)),
                required(texts.get(DOCUMENT)),
                texts.get(PIX_KEY));
    }

    private static void read(BsonReader reader, String start, Map<String, UUID> ids, Map<String, String> texts) {
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            String field = start + reader.readName();
            switch (reader.getCurrentBsonType()) {
                case DOCUMENT -> read(reader, field + ".", ids, texts);
                case BINARY -> ids.put(field, uuid(reader));
                case STRING -> texts.put(field, reader.readString());
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
    }

    private static UUID uuid(BsonReader reader) {
        ByteBuffer bytes = ByteBuffer.wrap(reader.readBinaryData().getData());
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("a stored transaction without a field by which lists filter");
        }
        return value;
    }

    @Override
    public void encode(BsonWriter writer, ListRow row, EncoderContext context) {
        throw new UnsupportedOperationException("only reads");
    }

    @Override
    public Class<ListRow> getEncoderClass() {
        return ListRow.class;
    }
}
