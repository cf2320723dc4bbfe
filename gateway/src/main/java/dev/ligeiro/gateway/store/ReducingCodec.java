package dev.ligeiro.gateway.store;

import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Transaction;
import java.util.function.BiFunction;
import org.bson.BsonBinaryReader;
import org.bson.BsonReader;
import org.bson.BsonReaderMark;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.RawBsonDocumentCodec;

/**
 * Reduces each stored transaction to what its reader needs, while the driver reads MongoDB's reply. A stored transaction can have 200 kB and
 * a reply 16 MB; so neither raw nor decoded documents pile up.
 *
 * @param <T> the reduced form of a transaction
 */
public final class ReducingCodec<T> implements Codec<T> {

    private static final TransactionCodec TRANSACTIONS = new TransactionCodec();
    private static final RawBsonDocumentCodec RAW = new RawBsonDocumentCodec();

    private final Class<T> type;
    private final BiFunction<Transaction, Integer, T> reduction;
    private final BiFunction<RawBsonDocument, RuntimeException, T> undecodable;

    /**
     * @param reduction of a decoded transaction and the number of bytes of its document
     * @param undecodable stands for a document that is damaged, or that a newer version has written
     */
    public ReducingCodec(
            Class<T> type,
            BiFunction<Transaction, Integer, T> reduction,
            BiFunction<RawBsonDocument, RuntimeException, T> undecodable) {
        this.type = type;
        this.reduction = reduction;
        this.undecodable = undecodable;
    }

    @Override
    public T decode(BsonReader reader, DecoderContext context) {
        BsonReaderMark begin = reader.getMark();
        int from = position(reader);
        Transaction transaction;
        try {
            transaction = TRANSACTIONS.decode(reader, context);
        } catch (RuntimeException failure) {
            begin.reset();
            return undecodable.apply(RAW.decode(reader, context), failure);
        }
        return reduction.apply(transaction, position(reader) - from);
    }

    private static int position(BsonReader reader) {
        return ((BsonBinaryReader) reader).getBsonInput().getPosition();
    }

    @Override
    public void encode(BsonWriter writer, T reduced, EncoderContext context) {
        throw new UnsupportedOperationException("a reduced transaction is never stored");
    }

    @Override
    public Class<T> getEncoderClass() {
        return type;
    }
}
