package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.loadtest.merchant.Abuser;

/** The kinds of requests beside which creates are measured; each takes CPU, memory or connections of the gateway. */
enum AbuseKind {
    SLOW_LISTS {
        @Override
        Abuser start(JsonApi api, double users) {
            return SlowLists.read(api, (int) users);
        }
    },
    HALF_OPEN_REQUESTS {
        @Override
        Abuser start(JsonApi api, double connections) {
            return HalfOpenRequests.open(api.baseUrl(), (int) connections);
        }
    },
    RANDOM_KEYS {
        @Override
        Abuser start(JsonApi api, double perSecond) {
            return RandomKeys.send(api.baseUrl(), perSecond);
        }
    };

    /**
     * Abuses until it is closed.
     *
     * @param api the gateway's address, and the key of slow lists
     * @param number of users, of connections, or of requests a second
     */
    abstract Abuser start(JsonApi api, double number);
}
