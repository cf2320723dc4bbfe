package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.http.RouteTable;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import java.time.Clock;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the operator's lists on the management port. Its beans belong to the context of that port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class OperationsConfiguration {

    @Bean
    RouterFunction<ServerResponse> operationsRoutes(
            AdminRoutes routes, UnsettledStore unsettled, UnmatchedPaymentListStore unmatched, Clock clock) {
        return RouteTable.of(new OperationsApi(routes, unsettled, unmatched, clock).routes());
    }
}
