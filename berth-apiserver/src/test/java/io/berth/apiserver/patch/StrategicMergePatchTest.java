package io.berth.apiserver.patch;

import static io.berth.apiserver.Trees.object;
import static io.berth.apiserver.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.apiserver.schema.SchemaCatalog;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StrategicMergePatchTest {
    record Case(String name, String kind, String original, String patch, String expected) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        "containers merge by name",
                        "v1/Pod",
                        "{spec:{containers:[{name:'a',image:'1'},{name:'b',image:'1'}]}}",
                        "{spec:{containers:[{name:'b',image:'2'}]}}",
                        "{spec:{containers:[{name:'a',image:'1'},{name:'b',image:'2'}]}}"),
                new Case(
                        "a new container joins",
                        "v1/Pod",
                        "{spec:{containers:[{name:'a'}]}}",
                        "{spec:{containers:[{name:'b'}]}}",
                        "{spec:{containers:[{name:'b'},{name:'a'}]}}"),
                new Case(
                        "pod templates merge as pods do",
                        "apps/v1/Deployment",
                        "{spec:{template:{spec:{containers:[{name:'a',env:[{name:'X',value:'1'}]}]}}}}",
                        "{spec:{template:{spec:{containers:[{name:'a',env:[{name:'X',value:'2'}]}]}}}}",
                        "{spec:{template:{spec:{containers:[{name:'a',env:[{name:'X',value:'2'}]}]}}}}"),
                new Case(
                        "container ports merge by containerPort",
                        "v1/Pod",
                        "{spec:{containers:[{name:'a',ports:[{containerPort:80,name:'w'}]}]}}",
                        "{spec:{containers:[{name:'a',ports:[{containerPort:80,hostPort:8080}]}]}}",
                        "{spec:{containers:[{name:'a',ports:[{containerPort:80,name:'w',hostPort:8080}]}]}}"),
                new Case(
                        "service ports merge by port",
                        "v1/Service",
                        "{spec:{ports:[{port:80,targetPort:1}]}}",
                        "{spec:{ports:[{port:80,targetPort:2}]}}",
                        "{spec:{ports:[{port:80,targetPort:2}]}}"),
                new Case(
                        "conditions merge by type",
                        "v1/Pod",
                        "{status:{conditions:[{type:'Ready',status:'False'},{type:'Init',status:'True'}]}}",
                        "{status:{conditions:[{type:'PodScheduled',status:'True'},{type:'Ready',status:'True'}]}}",
                        "{status:{conditions:[{type:'PodScheduled',status:'True'},{type:'Ready',status:'True'},{type:'Init',status:'True'}]}}"),
                new Case(
                        "tolerations are replaced",
                        "v1/Pod",
                        "{spec:{tolerations:[{key:'a'},{key:'b'}]}}",
                        "{spec:{tolerations:[{key:'c'}]}}",
                        "{spec:{tolerations:[{key:'c'}]}}"),
                new Case(
                        "taints are replaced, as the API declares no strategy for them",
                        "v1/Node",
                        "{spec:{taints:[{key:'a',effect:'NoSchedule'}]}}",
                        "{spec:{taints:[{key:'b',effect:'NoSchedule'}]}}",
                        "{spec:{taints:[{key:'b',effect:'NoSchedule'}]}}"),
                new Case(
                        "finalizers are a set",
                        "v1/Pod",
                        "{metadata:{finalizers:['a','b']}}",
                        "{metadata:{finalizers:['b','c']}}",
                        "{metadata:{finalizers:['a','b','c']}}"),
                new Case(
                        "a finalizer is deleted by directive",
                        "v1/Pod",
                        "{metadata:{finalizers:['a','b','c']}}",
                        "{metadata:{'$deleteFromPrimitiveList/finalizers':['b']}}",
                        "{metadata:{finalizers:['a','c']}}"),
                new Case(
                        "order and deletion of finalizers go together",
                        "v1/Pod",
                        "{metadata:{finalizers:['a','b','c']}}",
                        "{metadata:{'$deleteFromPrimitiveList/finalizers':['b'],'$setElementOrder/finalizers':['c','a']}}",
                        "{metadata:{finalizers:['c','a']}}"),
                new Case(
                        "owner references merge by uid",
                        "v1/Pod",
                        "{metadata:{ownerReferences:[{uid:'1',name:'x'}]}}",
                        "{metadata:{ownerReferences:[{uid:'1','$patch':'delete'},{uid:'2',name:'y'}]}}",
                        "{metadata:{ownerReferences:[{uid:'2',name:'y'}]}}"),
                new Case(
                        "an element is deleted by directive",
                        "v1/Pod",
                        "{spec:{volumes:[{name:'a'},{name:'b'}]}}",
                        "{spec:{volumes:[{name:'a','$patch':'delete'}]}}",
                        "{spec:{volumes:[{name:'b'}]}}"),
                new Case(
                        "a list is replaced by directive",
                        "v1/Pod",
                        "{spec:{containers:[{name:'a'},{name:'b'}]}}",
                        "{spec:{containers:[{'$patch':'replace'},{name:'c'}]}}",
                        "{spec:{containers:[{name:'c'}]}}"),
                new Case(
                        "an object is replaced by directive",
                        "v1/Pod",
                        "{spec:{securityContext:{runAsUser:1,runAsGroup:2}}}",
                        "{spec:{securityContext:{'$patch':'replace',fsGroup:3}}}",
                        "{spec:{securityContext:{fsGroup:3}}}"),
                new Case(
                        "an object is deleted by directive",
                        "v1/Pod",
                        "{spec:{affinity:{nodeAffinity:{}},nodeName:'n'}}",
                        "{spec:{affinity:{'$patch':'delete'}}}",
                        "{spec:{nodeName:'n'}}"),
                new Case(
                        "retainKeys clears the other volume source",
                        "v1/Pod",
                        "{spec:{volumes:[{name:'v',emptyDir:{}}]}}",
                        "{spec:{volumes:[{name:'v','$retainKeys':['name','hostPath'],hostPath:{path:'/x'}}]}}",
                        "{spec:{volumes:[{name:'v',hostPath:{path:'/x'}}]}}"),
                new Case(
                        "setElementOrder arranges a list",
                        "v1/Pod",
                        "{spec:{containers:[{name:'a'},{name:'b'},{name:'c'}]}}",
                        "{spec:{'$setElementOrder/containers':[{name:'c'},{name:'a'}],containers:[{name:'c',image:'9'}]}}",
                        "{spec:{containers:[{name:'b'},{name:'c',image:'9'},{name:'a'}]}}"),
                new Case(
                        "null removes a field and is ignored where nothing is",
                        "v1/Node",
                        "{spec:{unschedulable:true}}",
                        "{spec:{unschedulable:null,providerID:null},metadata:{labels:{x:null,y:'1'}}}",
                        "{spec:{},metadata:{labels:{y:'1'}}}"),
                new Case(
                        "labels merge",
                        "v1/Node",
                        "{metadata:{labels:{a:'1',b:'2'}}}",
                        "{metadata:{labels:{b:null,c:'3'}}}",
                        "{metadata:{labels:{a:'1',c:'3'}}}"),
                new Case(
                        "directives vanish where the list is new",
                        "v1/Pod",
                        "{spec:{}}",
                        "{spec:{'$setElementOrder/volumes':[{name:'a'}],volumes:[{name:'a','$retainKeys':['name']},{name:'b','$patch':'delete'}]}}",
                        "{spec:{volumes:[{name:'a'}]}}"),
                new Case(
                        "spread constraints merge by topologyKey",
                        "v1/Pod",
                        "{spec:{topologySpreadConstraints:[{topologyKey:'zone',maxSkew:1}]}}",
                        "{spec:{topologySpreadConstraints:[{topologyKey:'zone',maxSkew:2}]}}",
                        "{spec:{topologySpreadConstraints:[{topologyKey:'zone',maxSkew:2}]}}"),
                new Case(
                        "scheduling gates are removed one by one",
                        "v1/Pod",
                        "{spec:{schedulingGates:[{name:'a'},{name:'b'}]}}",
                        "{spec:{schedulingGates:[{name:'a','$patch':'delete'}]}}",
                        "{spec:{schedulingGates:[{name:'b'}]}}"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void patchMerges(Case c) {
        int slash = c.kind.lastIndexOf('/');
        var type = SchemaCatalog.of(c.kind.substring(0, slash), c.kind.substring(slash + 1));
        assertThat(type).isPresent();
        assertThat(StrategicMergePatch.apply(object(c.original), tree(c.patch), type))
                .isEqualTo(tree(c.expected));
    }

    @Test
    void kindWithoutSchemaHasItsListsReplaced() {
        var merged =
                StrategicMergePatch.apply(
                        object("{l:[{name:'a'}],o:{x:1}}"),
                        tree("{l:[{name:'b'}],o:{y:2}}"),
                        Optional.empty());
        assertThat(merged).isEqualTo(tree("{l:[{name:'b'}],o:{x:1,y:2}}"));
    }

    static Stream<Case> refusals() {
        return Stream.of(
                new Case(
                        "422",
                        "v1/Pod",
                        "{spec:{containers:[{name:'a'}]}}",
                        "{spec:{containers:[{image:'x'}]}}",
                        "map: map[image:x] does not contain declared merge key: name"),
                new Case(
                        "400",
                        "v1/Pod",
                        "{spec:{volumes:[{name:'v'}]}}",
                        "{spec:{volumes:[{name:'v','$retainKeys':['name'],hostPath:{}}]}}",
                        "invalid patch format of retainKeys"),
                new Case(
                        "400",
                        "v1/Pod",
                        "{}",
                        "[1]",
                        "json: cannot unmarshal array into Go value of type map[string]interface {}"),
                new Case(
                        "422",
                        "v1/Pod",
                        "{spec:{affinity:{}}}",
                        "{spec:{affinity:{'$patch':'frob'}}}",
                        "unknown patch type: frob in map: map[$patch:frob]"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void malformedPatchIsRefused(Case c) {
        var refusal =
                catchThrowableOfType(
                        PatchException.class,
                        () ->
                                StrategicMergePatch.apply(
                                        object(c.original),
                                        tree(c.patch),
                                        SchemaCatalog.of("v1", "Pod")));
        assertThat(refusal).hasMessage(c.expected);
        assertThat(refusal.status()).isEqualTo(Integer.parseInt(c.name));
    }
}
