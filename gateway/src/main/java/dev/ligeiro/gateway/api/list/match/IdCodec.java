package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.transaction.TransactionId;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;

/** Reads documents that consist of an id. */
final class IdCodec implements Codec<TransactionId> {

    @Override
    public Class<TransactionId> getEncoderClass() {
        return TransactionId.class;
    }

    @Override
    public TransactionId decode(BsonReader reader, DecoderContext context) {
        reader.readStartDocument();
        reader.readName();
        ByteBuffer bytes = ByteBuffer.wrap(reader.readBinaryData().getData());
        reader.readEndDocument();
        return new TransactionId(new UUID(bytes.getLong(), bytes.getLong()));
    }

    @Override
    public void encode(BsonWriter writer, TransactionId id, EncoderContext context) {
        throw new UnsupportedOperationException("ids are only read");
    }
}
