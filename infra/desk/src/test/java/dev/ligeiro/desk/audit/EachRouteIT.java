package dev.ligeiro.desk.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.infra.client.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** What holds for all routes of the operators' API, those of tomorrow too. */
@ExtendWith(SharedDesk.class)
class EachRouteIT {

    private final RunningDesk desk;

    EachRouteIT(RunningDesk desk) {
        this.desk = desk;
    }

    @Test
    void eachRouteNamesTheRoleThatItNeeds() {
        List<String> without = new ArrayList<>();
        handlers().forEach((route, handler) -> {
            if (route.getPatternValues().stream().anyMatch(path -> path.startsWith("/admin"))
                    && !handler.hasMethodAnnotation(Needs.class)) {
                without.add(route.toString());
            }
        });

        assertThat(without).isEmpty();
    }

    /** The reader may change nothing, so each change is refused, by its role or by its body. */
    @Test
    void eachChangeLeavesAnEntry() {
        Api reader = desk.admin().withToken(RunningDesk.READER_TOKEN);
        List<String> without = new ArrayList<>();
        handlers().values().forEach(handler -> {
            AuditRequests.Route route = AuditRequests.Route.of(handler.getMethod(), handler.getBeanType());
            if (route != null && route.isChange()) {
                String path = route.path()
                        .replaceAll("\\{[a-zA-Z]+}", UUID.randomUUID().toString());
                String requestId = UUID.randomUUID().toString();
                int status = Api.send(
                                reader.json(route.method().name(), path, "{}").header("X-Request-Id", requestId))
                        .status();
                AuditEntry entry = desk.mongo()
                        .findOne(Query.query(Criteria.where("requestId").is(requestId)), AuditEntry.class);
                assertThat(status).as(route.action()).isBetween(400, 499);
                if (entry == null
                        || !entry.action().equals(route.action())
                        || !Integer.valueOf(status).equals(entry.status())) {
                    without.add(route.action() + " " + status + " " + entry);
                }
            }
        });

        assertThat(without).isEmpty();
    }

    private Map<RequestMappingInfo, HandlerMethod> handlers() {
        return desk.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods();
    }
}
