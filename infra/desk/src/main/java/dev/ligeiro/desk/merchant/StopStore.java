package dev.ligeiro.desk.merchant;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.merchant.Stop;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StopFields;
import java.util.List;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.stereotype.Component;

/** What operators have stopped, in MongoDB. Gateways and processors notice a change within 5 seconds. */
@Component
public class StopStore {

    private static final int STOPS_MAX = 10_000;

    private final MongoTemplate mongo;

    StopStore(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    public List<Stop> all() {
        return mongo.find(new Query().limit(STOPS_MAX), Stop.class, CollectionNames.STOPS);
    }

    /** Those of the merchant itself: its freeze, and the stops of its cashouts. */
    public List<Stop> ofMerchant(long merchantNumber) {
        return mongo.find(
                query(where(StopFields.MERCHANT_NUMBER).is(merchantNumber)).limit(STOPS_MAX),
                Stop.class,
                CollectionNames.STOPS);
    }

    /** Replaces an earlier stop of the same. */
    public void stop(Stop stop) {
        mongo.save(stop, CollectionNames.STOPS);
    }

    /** Does nothing if it is not stopped. */
    public void resume(String id) {
        mongo.remove(query(where(StopFields.ID).is(id)), Stop.class, CollectionNames.STOPS);
    }
}
