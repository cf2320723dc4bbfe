package dev.ligeiro.infra.launcher.endtoend;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.client.MerchantApi;
import java.time.Duration;
import java.util.Map;

/** A merchant of the running system, in test mode unless it is said. */
record EndToEndMerchant(MerchantApi calls) {

    static EndToEndMerchant demo(DemoEnv env) {
        return new EndToEndMerchant(MerchantApi.demo(env));
    }

    /** The demo merchant in live mode. */
    static EndToEndMerchant live(DemoEnv env) {
        return new EndToEndMerchant(new MerchantApi(new Api(env.baseUrl(), env.liveApiKey()), env.livePlatformId()));
    }

    /** Creates a merchant with the admin API. */
    static EndToEndMerchant create(DemoEnv env) {
        return new EndToEndMerchant(
                MerchantApi.create(env, Map.of("name", "A merchant of the tests"), AdminApi.ALL_SCOPES));
    }

    Api api() {
        return calls.api();
    }

    /** A valid request with the required members only. */
    Map<String, Object> cashin(String amount) {
        return calls.cashin(amount);
    }

    /** A valid request with the required members only. */
    Map<String, Object> cashout(String amount) {
        return calls.cashout(amount);
    }

    ShownTransaction createCashin(Map<String, ?> request) {
        return new ShownTransaction(calls.createCashin(request));
    }

    ShownTransaction show(String id) {
        return new ShownTransaction(calls.show(id));
    }

    Answer tryToShow(String id) {
        return api().get(MerchantApi.transactionPath(id));
    }

    /** Pays as the payer would, and repeats the request after a 503. */
    void pay(String id) {
        await().atMost(Duration.ofMinutes(1)).until(() -> tryToPay(id).status() != 503);
    }

    Answer tryToPay(String id) {
        return api().postNothing(MerchantApi.sandboxPath(id, "pay"));
    }
}
