package io.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The order of a merged list. Elements named by the patch come in the patch's order, all others
/// keep the order they had; an element of the server goes first only if it stood before the patch's
/// next element already.
///
/// Example: the server has `a b c`, the patch names `c x`. The merged list is `a b c x`.
///
/// @param mergeKey the field that identifies an element, empty for a list of primitives
record ElementOrder(String mergeKey) {

    static ElementOrder of(String mergeKey) {
        return new ElementOrder(mergeKey);
    }

    ArrayNode arrange(ArrayNode merged, ArrayNode patchOrder, ArrayNode serverOrder) {
        var named = new ArrayList<JsonNode>();
        var others = new ArrayList<JsonNode>();
        for (JsonNode element : merged) {
            (indexOf(patchOrder, identity(element)) >= 0 ? named : others).add(element);
        }
        named.sort(Comparator.comparingInt(e -> indexOf(patchOrder, identity(e))));
        others.sort(Comparator.comparingInt(e -> indexOf(serverOrder, identity(e))));
        return interleave(others, named, serverOrder);
    }

    private ArrayNode interleave(
            List<JsonNode> others, List<JsonNode> named, ArrayNode serverOrder) {
        ArrayNode result = serverOrder.arrayNode();
        int i = 0;
        int j = 0;
        while (i < others.size() || j < named.size()) {
            boolean takeOther =
                    j == named.size()
                            || (i < others.size()
                                    && standsBefore(others.get(i), named.get(j), serverOrder));
            result.add(takeOther ? others.get(i++) : named.get(j++));
        }
        return result;
    }

    private boolean standsBefore(JsonNode a, JsonNode b, ArrayNode order) {
        int first = indexOf(order, identity(a));
        int second = indexOf(order, identity(b));
        return first >= 0 && second >= 0 && first < second;
    }

    int indexOf(ArrayNode list, JsonNode identity) {
        for (int i = 0; i < list.size(); i++) {
            JsonNode element = list.get(i);
            JsonNode own = mergeKey.isEmpty() ? element : element.get(mergeKey);
            if (own != null && Json.same(own, identity)) {
                return i;
            }
        }
        return -1;
    }

    /// Refuses a patch whose elements are not in the order that it asks for.
    void requireOrder(ArrayNode patch, ArrayNode order) {
        int at = 0;
        if (order.isEmpty()) {
            return;
        }
        for (JsonNode element : patch) {
            if (element.has(StrategicMergePatch.DIRECTIVE)) {
                continue;
            }
            JsonNode identity = identity(element);
            while (at < order.size() && !Json.same(identity(order.get(at)), identity)) {
                at++;
            }
            if (at == order.size()) {
                throw PatchException.unprocessable(
                        "The order in patch list:\n%s\n doesn't match $setElementOrder list:\n%s\n"
                                .formatted(Json.goText(patch), Json.goText(order)));
            }
        }
    }

    private JsonNode identity(JsonNode element) {
        return mergeKey.isEmpty() ? element : StrategicMergePatch.keyOf(element, mergeKey);
    }
}
