package dev.ligeiro.gateway.http.html;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.Access;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.RouteTable;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemHandler;
import dev.ligeiro.gateway.http.problem.RequestId;
import dev.ligeiro.gateway.http.request.Sender;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class ApiCallsTest {

    private static final Access<Person> PERSON =
            request -> Mono.justOrEmpty(InProcessCall.rights(request, Person.class))
                    .switchIfEmpty(Mono.error(Problem.transactionNotFound()));

    private final ApiCalls calls = new ApiCalls(
            () -> List.of(
                    Route.get("/api/things/{id}", PERSON, (request, person) -> ServerResponse.ok()
                            .bodyValue("{\"thing_id\":\"%s\",\"of\":\"%s\",\"named\":\"%s\",\"more\":1}"
                                    .formatted(
                                            request.pathVariable("id"),
                                            person.name(),
                                            request.queryParam("name").orElse("")))),
                    Route.postJson("/api/things", PERSON, (request, person, body) -> ServerResponse.accepted()
                            .bodyValue(body.toString())),
                    Route.get("/api/request-id", PERSON, (request, person) -> ServerResponse.ok()
                            .bodyValue("\"%s\""
                                    .formatted(RequestId.of(request.exchange().getResponse())))),
                    Route.get(
                            "/api/broken",
                            PERSON,
                            (request, person) -> Mono.error(
                                    Problem.invalid(List.of(FieldError.invalid("amount", "must be positive")))))),
            new ProblemHandler());

    @Test
    void aPageReceivesWhatTheRouteAnswersToThePerson() {
        ApiAnswer answer =
                answer(page -> calls.send(page, ApiRequest.get("/api/things/7?name=caf%C3%A9+%26"), new Person("Ana")));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.as(Thing.class)).isEqualTo(new Thing("7", "Ana", "café &"));
    }

    @Test
    void aBodyIsSent() {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("name", "café");

        ApiAnswer answer = answer(page -> calls.send(page, ApiRequest.post("/api/things", body), new Person("Ana")));

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json()).isEqualTo(body);
    }

    @Test
    void aProblemIsAnAnswer() {
        ApiAnswer answer = answer(page -> calls.send(page, ApiRequest.get("/api/broken"), new Person("Ana")));

        assertThat(answer.isSuccess()).isFalse();
        assertThat(answer.code()).isEqualTo("validation_failed");
        assertThat(answer.fieldErrors()).containsEntry("amount", "must be positive");
        assertThat(answer(page -> calls.send(page, ApiRequest.get("/api/none"), new Person("Ana")))
                        .status())
                .isEqualTo(404);
    }

    /** The audit and the log of a failure name it. */
    @Test
    void theApiHasTheRequestIdOfThePage() {
        ApiAnswer answer = answer(page -> {
            page.exchange().getResponse().getHeaders().set(RequestId.HEADER, "abc-1");
            return calls.send(page, ApiRequest.get("/api/request-id"), new Person("Ana"));
        });

        assertThat(answer.json().asString()).isEqualTo("abc-1");
    }

    @Test
    void aRequestFromOutsideHasNoRights() {
        assertThat(answer(page -> calls.send(page, ApiRequest.get("/api/things/7"), "no person"))
                        .status())
                .isEqualTo(404);
    }

    private static ApiAnswer answer(Function<ServerRequest, Mono<ApiAnswer>> call) {
        AtomicReference<ApiAnswer> answer = new AtomicReference<>();
        Route page = Route.page("/page", request -> call.apply(request)
                .doOnNext(answer::set)
                .then(ServerResponse.ok().build()));
        RouteTable.handler(List.of(page), new ProblemHandler())
                .handle(
                        MockServerHttpRequest.get("http://localhost/page?x=1")
                                .accept(MediaType.TEXT_HTML)
                                .build(),
                        new MockServerHttpResponse())
                .block();
        return requireNonNull(answer.get());
    }

    private record Person(String name) implements Sender {

        @Override
        public Object bodyShare() {
            return name;
        }
    }

    record Thing(String thingId, String of, String named) {}
}
