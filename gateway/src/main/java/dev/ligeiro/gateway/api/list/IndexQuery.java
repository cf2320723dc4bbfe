package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.api.list.Filter.Term;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a query that the keys of one index answer, and this index. An operation is read from the documents.
 *
 * @param index for {@code hint}
 */
record IndexQuery(BsonDocument condition, BsonDocument index) {

    private static final BsonDocument BY_ID = index(TransactionFields.ID);
    private static final BsonDocument BY_TENANT = index(TransactionFields.TENANT, TransactionFields.ID);
    private static final BsonDocument BY_STATUS =
            index(TransactionFields.TENANT, TransactionFields.STATUS, TransactionFields.ID);
    private static final BsonDocument BY_TOKEN =
            index(TransactionFields.TENANT, TransactionFields.SEARCH, TransactionFields.ID);

    /**
     * @param term null: all transactions of the tenant
     * @param days those of the tokens in the span, if the term has tokens: see {@link TokenDays}
     */
    static IndexQuery of(Tenant tenant, @Nullable Term term, List<Long> days, Span span) {
        BsonDocument range = new BsonDocument("$gte", binary(span.from())).append("$lt", binary(span.before()));
        return of(tenant, term, days, range);
    }

    /**
     * The transactions with these ids to which the term applies. MongoDB looks for each id at its day only.
     *
     * @param days of the ids, if the term has tokens
     */
    static IndexQuery among(Tenant tenant, Term term, List<Long> days, List<TransactionId> ids) {
        return of(tenant, term, days, in(ids));
    }

    /** The transactions with these ids that still have the filter's status. It reads their documents, which the response needs anyway. */
    static IndexQuery byIds(Filter filter, List<TransactionId> ids) {
        BsonDocument condition = new BsonDocument(TransactionFields.ID, in(ids))
                .append(TransactionFields.TENANT, new BsonInt64(filter.tenant().key()));
        filter.status().ifPresent(status -> condition.append(TransactionFields.STATUS, new BsonString(status.code())));
        return new IndexQuery(condition, BY_ID);
    }

    private static BsonDocument in(List<TransactionId> ids) {
        return new BsonDocument(
                "$in", new BsonArray(ids.stream().map(IndexQuery::binary).toList()));
    }

    private static IndexQuery of(Tenant tenant, @Nullable Term term, List<Long> days, BsonDocument ids) {
        BsonDocument condition = new BsonDocument(TransactionFields.TENANT, new BsonInt64(tenant.key()));
        BsonDocument index = BY_TENANT;
        if (term instanceof Filter.OfStatus it) {
            condition.append(
                    TransactionFields.STATUS, new BsonString(it.status().code()));
            index = BY_STATUS;
        } else if (term instanceof Filter.OfTokens it) {
            condition.append(TransactionFields.SEARCH, anyOf(it.stored(days)));
            index = BY_TOKEN;
        } else if (term instanceof Filter.OfOperation it) {
            condition.append(
                    TransactionFields.OPERATION, new BsonString(it.operation().code()));
        }
        return new IndexQuery(condition.append(TransactionFields.ID, ids), index);
    }

    private static BsonValue anyOf(List<Long> tokens) {
        return tokens.size() == 1
                ? new BsonInt64(tokens.get(0))
                : new BsonDocument(
                        "$in", new BsonArray(tokens.stream().map(BsonInt64::new).toList()));
    }

    private static BsonBinary binary(TransactionId id) {
        return TransactionCodec.binary(id.value());
    }

    private static BsonDocument index(String... fields) {
        BsonDocument index = new BsonDocument();
        for (String field : fields) {
            index.append(field, new BsonInt32(1));
        }
        return index;
    }
}
