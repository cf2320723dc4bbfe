package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.http.response.BaseUrl;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The URL of a list's next page. The page continues where this one ends, so that it costs the same wherever it is, and
 * transactions that are created meanwhile move no row to another page.
 */
@Component
class NextPageUrl {

    private static final String PAGE = "page";
    private static final String AFTER = "after";
    /** The parameters that the next page does not have in common with the page. */
    private static final Set<String> OF_THE_PAGE = Set.of(PAGE, AFTER);

    private final BaseUrl baseUrl;

    NextPageUrl(BaseUrl baseUrl) {
        this.baseUrl = baseUrl;
    }

    /** @param page that the request is answered with */
    String of(ServerRequest request, ListPage page) {
        MultiValueMap<String, String> parameters = request.queryParams();
        UriComponentsBuilder next = UriComponentsBuilder.fromUriString(baseUrl.of(request));
        next.path(ListController.PATH);
        parameters.forEach((name, values) -> {
            String value = values.get(0);
            if (value != null && !value.isBlank() && !OF_THE_PAGE.contains(name)) {
                next.queryParam(name, "{" + name + "}");
            }
        });
        if (page.end() != null) {
            next.queryParam(AFTER, page.end());
        }
        return next.queryParam(PAGE, Math.min(page.number() + 1, ListParameters.PAGE_MAX))
                .encode()
                .buildAndExpand(parameters.toSingleValueMap())
                .toUriString();
    }
}
