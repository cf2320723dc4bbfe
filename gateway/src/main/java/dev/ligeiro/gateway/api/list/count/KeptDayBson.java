package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.count.Slice.Unit;
import dev.ligeiro.gateway.api.list.match.Filter;
import java.util.HashMap;
import java.util.Map;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The document of a day's kept counts of one filter: {@code v}, {@code n} and {@code s} are version, count and whether the day is split;
 * the same for its hours under {@code h.<hour>} and for its minutes under {@code m.<minute of the day>}.
 */
final class KeptDayBson {

    static final String VERSION = "v";
    static final String COUNT = "n";
    static final String SPLIT = "s";
    private static final String HOURS = "h";
    private static final String MINUTES = "m";
    private static final String TENANT = "t";
    private static final String FILTER = "f";
    static final String DAY = "d";

    private KeptDayBson() {}

    static BsonDocument id(Filter filter, long day) {
        return new BsonDocument(TENANT, new BsonInt64(filter.tenant().key()))
                .append(FILTER, new BsonString(filter.key()))
                .append(DAY, new BsonInt32((int) day));
    }

    static long day(BsonDocument document) {
        return document.getDocument("_id").getInt32(DAY).getValue();
    }

    /** The fields that keep the count. */
    static void put(BsonDocument fields, Slice slice, KeptCount kept) {
        BsonDocument values = slice.unit() == Unit.DAY ? fields : new BsonDocument();
        values.append(VERSION, new BsonInt64(kept.version()))
                .append(COUNT, new BsonInt64(kept.count()))
                .append(SPLIT, BsonBoolean.valueOf(kept.split()));
        if (slice.unit() != Unit.DAY) {
            fields.append((slice.isMinute() ? MINUTES : HOURS) + "." + slice.numberInDay(), values);
        }
    }

    /** All counts in a document. It may have counts of hours or minutes without one of the day. */
    static Map<Slice, KeptCount> counts(BsonDocument document) {
        Map<Slice, KeptCount> counts = new HashMap<>();
        Slice day = Slice.day(day(document));
        if (document.containsKey(COUNT)) {
            counts.put(day, count(document));
        }
        addAll(counts, document.get(HOURS), Slice.at(Unit.HOUR, day.from()));
        addAll(counts, document.get(MINUTES), Slice.at(Unit.MINUTE, day.from()));
        return counts;
    }

    private static void addAll(Map<Slice, KeptCount> counts, @Nullable BsonValue parts, Slice first) {
        if (parts != null) {
            parts.asDocument()
                    .forEach((number, values) -> counts.put(
                            new Slice(first.unit(), first.number() + Integer.parseInt(number)),
                            count(values.asDocument())));
        }
    }

    private static KeptCount count(BsonDocument values) {
        return new KeptCount(
                values.getInt64(VERSION).getValue(),
                values.getInt64(COUNT).getValue(),
                values.getBoolean(SPLIT).getValue());
    }
}
