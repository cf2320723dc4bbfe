package dev.ligeiro.gateway.api.list.count;

import static dev.ligeiro.gateway.api.list.count.KeptDayBson.COUNT;
import static dev.ligeiro.gateway.api.list.count.KeptDayBson.DAY;
import static dev.ligeiro.gateway.api.list.count.KeptDayBson.SPLIT;
import static dev.ligeiro.gateway.api.list.count.KeptDayBson.VERSION;

import com.mongodb.MongoClientSettings;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.store.SliceVersionFields;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;

/** Reads days. A list reads hundreds at once, and reading each as a {@code BsonDocument} would take most of its CPU. */
final class WholeDayCodec implements Codec<WholeDay> {

    static final CodecRegistry REGISTRY = CodecRegistries.fromRegistries(
            CodecRegistries.fromCodecs(new WholeDayCodec()), MongoClientSettings.getDefaultCodecRegistry());

    @Override
    public Class<WholeDay> getEncoderClass() {
        return WholeDay.class;
    }

    @Override
    public WholeDay decode(BsonReader reader, DecoderContext context) {
        long day = 0;
        Long version = null;
        long count = 0;
        boolean split = false;
        long usedAt = 0;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case "_id" -> day = day(reader);
                case VERSION -> version = reader.readInt64();
                case COUNT -> count = reader.readInt64();
                case SPLIT -> split = reader.readBoolean();
                case CollectionSetup.LIST_COUNTS_USED_AT, SliceVersionFields.AT -> usedAt = reader.readDateTime();
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new WholeDay(day, version, count, split, usedAt);
    }

    private static long day(BsonReader reader) {
        long day = 0;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            if (reader.readName().equals(DAY)) {
                day = reader.readInt32();
            } else {
                reader.skipValue();
            }
        }
        reader.readEndDocument();
        return day;
    }

    @Override
    public void encode(BsonWriter writer, WholeDay day, EncoderContext context) {
        throw new UnsupportedOperationException("whole days are only read");
    }
}
