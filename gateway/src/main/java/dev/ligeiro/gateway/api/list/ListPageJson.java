package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.http.response.TransactionJson;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Writes a page of a list as the body of a response. */
@Component
class ListPageJson {

    private final TransactionJson transactionJson;
    private final NextPageUrl nextPage;

    ListPageJson(TransactionJson transactionJson, NextPageUrl nextPage) {
        this.transactionJson = transactionJson;
        this.nextPage = nextPage;
    }

    byte[] of(ListPage page, ServerRequest request) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("transactions");
            page.items().forEach(item -> transactionJson.write(json, item));
            json.writeEndArray();
            json.writeNumberProperty("current_page", page.number());
            json.writeNumberProperty("last_page", page.last());
            if (page.hasNext()) {
                json.writeStringProperty("next_page_url", nextPage.of(request, page));
            } else {
                json.writeNullProperty("next_page_url");
            }
            json.writeNumberProperty("total", page.total());
        });
    }
}
