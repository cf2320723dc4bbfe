package dev.ligeiro.gateway.list;

import static dev.ligeiro.store.TransactionFields.*;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBinary;
import org.bson.conversions.Bson;

/**
 * A list query as MongoDB conditions, with the one index that serves it in the order of the list. MongoDB never sorts in memory.
 */
record ListFilter(List<Bson> conditions, Bson index) {

    static ListFilter of(Tenant tenant, ListQuery query) {
        List<Bson> all = new ArrayList<>();
        all.add(Filters.eq(TENANT, tenant.key()));
        if (query.identifier() != null) {
            all.add(Filters.eq(ID, TransactionCodec.binary(query.identifier().value())));
        }
        if (query.reference() != null) {
            all.add(Filters.eq(REFERENCE, query.reference()));
        }
        if (query.status() != null) {
            all.add(Filters.eq(STATUS, query.status().code()));
        }
        addSearched(all, query);
        if (query.from() != null) {
            all.add(createdFrom(query.from()));
        }
        if (query.before() != null) {
            all.add(createdBefore(query.before()));
        }
        return new ListFilter(all, index(query));
    }

    Bson bson() {
        return Filters.and(conditions);
    }

    /** This filter, restricted to transactions with a lower id. */
    ListFilter below(TransactionId id) {
        List<Bson> all = new ArrayList<>(conditions);
        all.add(Filters.lt(ID, TransactionCodec.binary(id.value())));
        return new ListFilter(all, index);
    }

    /** This filter, restricted to transactions created at or after {@code from}. */
    Bson from(Instant from) {
        return Filters.and(bson(), createdFrom(from));
    }

    /** This filter, restricted to transactions created at or after {@code from} and before {@code before}. */
    Bson between(Instant from, Instant before) {
        return Filters.and(bson(), createdFrom(from), createdBefore(before));
    }

    private static Bson index(ListQuery query) {
        if (query.identifier() != null) {
            return Indexes.ascending(ID);
        }
        if (query.reference() != null) {
            return Indexes.ascending(TENANT, REFERENCE);
        }
        if (query.isSearch()) {
            return Indexes.ascending(TENANT, SEARCH, ID);
        }
        return query.status() != null ? Indexes.ascending(TENANT, STATUS, ID) : Indexes.ascending(TENANT, ID);
    }

    /** Matches the search token and, because a token is only a hash, the field itself. Words of a name are matched by token only. */
    private static void addSearched(List<Bson> all, ListQuery query) {
        if (query.document() != null) {
            all.add(Filters.eq(SEARCH, SearchTokens.document(query.document())));
            all.add(Filters.eq(PAYER + "." + DOCUMENT, query.document()));
        }
        if (query.phone() != null) {
            all.add(Filters.eq(SEARCH, SearchTokens.phone(query.phone())));
            all.add(Filters.eq(PAYER + "." + PHONE, query.phone()));
        }
        if (!query.pixKeys().isEmpty()) {
            all.add(Filters.in(
                    SEARCH, query.pixKeys().stream().map(SearchTokens::pixKey).toList()));
            all.add(Filters.in(PIX_KEY + "." + VALUE, query.pixKeys()));
        }
        query.nameWords().forEach(word -> all.add(Filters.eq(SEARCH, SearchTokens.nameWord(word))));
        if (query.platform() != null) {
            all.add(Filters.eq(SEARCH, SearchTokens.platform(query.platform())));
            all.add(Filters.eq(PLATFORM, TransactionCodec.binary(query.platform())));
        }
    }

    private static Bson createdFrom(Instant from) {
        return Filters.gte(ID, lowestIdAt(from));
    }

    private static Bson createdBefore(Instant before) {
        return Filters.lt(ID, lowestIdAt(before));
    }

    private static BsonBinary lowestIdAt(Instant at) {
        return TransactionCodec.binary(UuidV7.lowest(Math.max(0, at.toEpochMilli())));
    }
}
