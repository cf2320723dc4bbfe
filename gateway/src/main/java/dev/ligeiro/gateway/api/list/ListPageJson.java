package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.http.response.BaseUrl;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.http.response.TransactionJson;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.util.UriComponentsBuilder;

/** Writes a page of a list as the body of a response. */
@Component
class ListPageJson {

    private static final String PAGE = "page";
    private static final String AFTER = "after";
    /** The parameters that the next page does not have in common with the page. */
    private static final Set<String> OF_THE_PAGE = Set.of(PAGE, AFTER);

    private final TransactionJson transactionJson;
    private final BaseUrl baseUrl;

    ListPageJson(TransactionJson transactionJson, BaseUrl baseUrl) {
        this.transactionJson = transactionJson;
        this.baseUrl = baseUrl;
    }

    byte[] of(ListPage page, ServerRequest request) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("transactions");
            page.items().forEach(item -> transactionJson.write(json, item));
            json.writeEndArray();
            json.writeNumberProperty("current_page", page.number());
            json.writeNumberProperty("last_page", page.last());
            if (page.hasNext()) {
                json.writeStringProperty("next_page_url", nextPageUrl(request, page));
            } else {
                json.writeNullProperty("next_page_url");
            }
            json.writeNumberProperty("total", page.total());
        });
    }

    /**
     * The next page continues where this one ends, so that it costs the same wherever it is, and transactions that are created meanwhile
     * move no row to another page.
     */
    private String nextPageUrl(ServerRequest request, ListPage page) {
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
