package dev.ligeiro.processor.due;

import dev.ligeiro.store.TransactionCodec;
import java.time.Instant;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.UuidRepresentation;

/** The fields of the progress in the document of the lease. */
final class DueProgressBson {

    private static final String CURSOR = "cursor";
    private static final String REPEAT = "repeat";
    private static final String APPENDED_AT = "appendedAt";
    private static final String AHEAD = "ahead";
    private static final String PREVIOUS_AT = "previousAt";
    private static final String AT = "at";
    private static final String LIMIT = "limit";
    private static final String DUE = "due";
    private static final String ID = "id";

    private DueProgressBson() {}

    static BsonDocument write(DueProgress progress) {
        DueRepeat repeat = progress.repeat();
        return new BsonDocument(CURSOR, position(progress.cursor()))
                .append(
                        REPEAT,
                        new BsonDocument(PREVIOUS_AT, dateTime(repeat.previousAt()))
                                .append(AT, dateTime(repeat.at()))
                                .append(LIMIT, position(repeat.limit()))
                                .append(CURSOR, position(repeat.cursor())))
                .append(APPENDED_AT, dateTime(progress.appendedAt()))
                .append(AHEAD, new BsonInt32(progress.ahead()));
    }

    /** The progress in the document; {@link DueProgress#NONE} if it has none. */
    static DueProgress read(BsonDocument document) {
        if (!document.containsKey(CURSOR)) {
            return DueProgress.NONE;
        }
        BsonDocument repeat = document.getDocument(REPEAT);
        return new DueProgress(
                position(document, CURSOR),
                new DueRepeat(
                        instant(repeat, PREVIOUS_AT),
                        instant(repeat, AT),
                        position(repeat, LIMIT),
                        position(repeat, CURSOR)),
                instant(document, APPENDED_AT),
                document.getInt32(AHEAD).getValue());
    }

    private static BsonDocument position(DuePosition position) {
        return new BsonDocument(DUE, dateTime(position.due())).append(ID, TransactionCodec.binary(position.id()));
    }

    private static DuePosition position(BsonDocument document, String field) {
        BsonDocument position = document.getDocument(field);
        return new DuePosition(instant(position, DUE), position.getBinary(ID).asUuid(UuidRepresentation.STANDARD));
    }

    private static BsonDateTime dateTime(Instant at) {
        return new BsonDateTime(at.toEpochMilli());
    }

    private static Instant instant(BsonDocument document, String field) {
        return Instant.ofEpochMilli(document.getDateTime(field).getValue());
    }
}
