package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.gateway.api.show.TransactionStore;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads what the page of a cashin shows. */
@Component
class ShowCheckout {

    private final TransactionStore transactions;
    private final MerchantNameStore merchants;
    private final Clock clock;
    private final GatewayProperties properties;

    ShowCheckout(
            TransactionStore transactions, MerchantNameStore merchants, Clock clock, GatewayProperties properties) {
        this.transactions = transactions;
        this.merchants = merchants;
        this.clock = clock;
        this.properties = properties;
    }

    /** Empty unless {@code id} is the id of a cashin. */
    Mono<CheckoutPage> page(String id, Language language) {
        return Mono.justOrEmpty(TransactionId.parse(id))
                .flatMap(transactions::find)
                .filter(found -> found.operation() == Operation.CASHIN)
                .flatMap(cashin -> merchants
                        .name(cashin.tenant())
                        .map(name -> CheckoutPage.of(cashin, name, language, clock.instant(), properties.timeZone())));
    }
}
