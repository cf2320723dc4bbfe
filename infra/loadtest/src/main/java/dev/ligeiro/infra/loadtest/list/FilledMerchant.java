package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.MerchantHistory;
import dev.ligeiro.transaction.Tenant;

/**
 * A merchant with past transactions.
 *
 * @param name of its role in the test
 * @param id given by the gateway
 * @param stored whether an earlier run has stored the past transactions
 */
record FilledMerchant(String name, String id, MerchantApi api, MerchantHistory history, boolean stored) {

    Tenant tenant() {
        return history.sample().tenant();
    }
}
