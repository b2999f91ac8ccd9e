"""redact on lines of the tools of a cluster that its rules were not written for: what must go goes, what must stay stays.

What looks like a token is put together here, so that no scanner takes this file for a leak.
"""
from cli import check, done, run


def j(*parts):
    return "".join(parts)


CASES = [  # text, what must go, what must stay
("FileNotFoundError: [Errno 2] No such file or directory: '/home/li si/My Project/train.py'",["li si","My Project"],["FileNotFoundError","train.py"]),
('  File "/data/Big Model Team/run/model.py", line 12, in <module>',["Big Model Team"],["model.py","line 12"]),
("ping @zhangsan could you look at rank 3?",["zhangsan"],["rank 3"]),
("cc @li.si @wangwu05 re: job failed",["li.si","wangwu05"],["job failed"]),
("Host gpu-login-03\n  HostName 10.20.30.40\n  User zhaoliu\n  IdentityFile ~/.ssh/id_zhaoliu_rsa",["gpu-login-03","10.20.30.40","zhaoliu"],["HostName","IdentityFile"]),
("             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n           4821337   npu-a3 qwen3-sf zhangsan  R   12:33:01      4 cn[0117-0120]",["4821337","qwen3-sf","zhangsan","cn[0117-0120]"],["PARTITION","NODELIST"]),
("4821337.batch      batch               acct_nlp         16     FAILED      1:0",["4821337","acct_nlp"],["FAILED"]),
("origin  git@gitlab.hx-corp.internal:llm-team/secret-model.git (fetch)",["gitlab.hx-corp.internal","llm-team","secret-model"],["origin","(fetch)"]),
("machine repo.hx-corp.internal login lisi password Pa55w0rd!x",["repo.hx-corp.internal","lisi","Pa55w0rd!x"],["machine"]),
('curl -H "X-Api-Key: 8f3a9b7c6d5e4f3a2b1c" https://llm.hx-corp.internal/v1/models',["8f3a9b7c6d5e4f3a2b1c","llm.hx-corp.internal"],["curl"]),
("Looking in indexes: https://lisi:Tok3nXyz99@pypi.hx-corp.internal/simple",["lisi","Tok3nXyz99","pypi.hx-corp.internal"],["Looking in indexes"]),
(j("wandb: Currently logged in as: ","lisi-nlp"," (","hx-team","). Use `wandb login --relogin`"),["lisi-nlp","hx-team"],["wandb"]),
(j("export HF_TOKEN=","h" + "f_","AbCdEfGhIjKlMnOpQrStUvWxYz012345"),["AbCdEfGhIjKl"],["HF_TOKEN"]),
("clusters:\n- cluster:\n    server: https://10.9.8.7:6443\n  name: prod-npu-beijing\nusers:\n- user:\n    token: " + "ey" + "JhbGciOiJSUzI1NiIsImtpZCI6IkFCQyJ9.eyJpc3MiOiJrdWJlIn0.c2lnbmF0dXJl",["10.9.8.7","eyJhbGci"],["clusters","6443"]),
('"Hostname": "a3f5c1d2e4b6",\n"Domainname": "hx-corp.internal",\n"IPAddress": "172.18.0.5",\n"MacAddress": "02:42:ac:12:00:05"',["a3f5c1d2e4b6","hx-corp.internal","172.18.0.5","02:42:ac:12:00:05"],["IPAddress"]),
("Serial Number                  : 033EHS10P8000123",["033EHS10P8000123"],["Serial Number"]),
("[root@node-a3-17 ~]# npu-smi info",["node-a3-17"],["npu-smi info"]),
("(tda) lisi@node-a3-17:/data/lisi/ckpt$ python train.py",["lisi","node-a3-17"],["python train.py","tda"]),
("用户 lisi（工号 00567890）在节点 node-a3-17 上提交了作业 4821337",["lisi","00567890","node-a3-17","4821337"],["提交了作业"]),
("联系人：王小明，电话 13812345678，邮箱 wangxm@hx-corp.com",["王小明","13812345678","wangxm"],["联系人"]),
("lisi      88213  0.0  0.1 123456  7890 pts/3    Sl+  10:12   0:03 python train.py --data /data/lisi/x",["88213","lisi"],["python train.py"]),
("drwxr-x--- 5 lisi nlp-team 4096 Mar 11 10:12 ckpt_4096",["lisi","nlp-team"],["4096","ckpt_4096"]),
("ssh: connect to host node-a3-18 port 22: Connection refused",["node-a3-18"],["port 22","Connection refused"]),
("[W socket.cpp:663] [c10d] The client socket has failed to connect to [node-a3-18.hx.internal]:29500 (errno: 110 - Connection timed out).",["node-a3-18"],["29500","110"]),
("ray.exceptions.RayActorError: The actor died. ip=10.1.2.3, pid=77123, node_id=5f9c1ab2c3d4e5f60718293a4b5c6d7e8f901234abcd5678ef901234",["10.1.2.3","77123"],["RayActorError"]),
("AWS_SECRET_ACCESS_KEY=" + "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",["wJalrXUtn"],["AWS_SECRET_ACCESS_KEY"]),
("MYSQL_PWD=S3cr3t99 mysql -u root",["S3cr3t99"],["mysql"]),
("  \"auth\": \"bGlzaTpwYXNzd29yZDEyMw==\"",["bGlzaTpwYXNzd29yZDEyMw"],["auth"]),
("docker run --rm -e ACCESS_TOKEN=" + "glp" + "at-xyz -v /home/lisi:/ws swr.cn-north-4.myhuaweicloud.com/hx-llm/torch:2.1",["lisi","glp" + "at-xyz"],["docker run"]),
("Building wheel for triton_dist (setup.py) ... created /tmp/pip-ephem-wheel-cache-a8s7d6/wheels/lisi.whl",[],["triton_dist"]),
("2026-03-11T12:12:12Z node-a3-17 kubelet[2231]: E0311 pod vllm-qwen3-deploy-5d9c7b9f4-x2x9z failed",["node-a3-17","2231","vllm-qwen3-deploy-5d9c7b9f4-x2x9z"],["kubelet"]),
("NAME                        READY   STATUS             RESTARTS   AGE   IP            NODE\ntrain-qwen-worker-0         0/1     CrashLoopBackOff   5          10m   10.244.1.17   node-a3-17",["train-qwen-worker-0","10.244.1.17","node-a3-17"],["CrashLoopBackOff","RESTARTS"]),
("Subject: Re: 训练失败 From: Li Si <lisi@hx-corp.com>",["lisi@hx","Li Si"],["训练失败"]),
("SLURM_JOB_USER=lisi SLURM_JOB_ACCOUNT=nlp SLURM_JOB_NODELIST=cn[0117-0120] SLURM_JOB_NAME=qwen3-sft SLURM_SUBMIT_HOST=login02",["lisi","cn[0117-0120]","qwen3-sft","login02"],["SLURM_JOB_USER"]),
("torchrun --nnodes=4 --node_rank=0 --master_addr=node-a3-17 --master_port=29500 train.py",["node-a3-17"],["29500","train.py"]),
("tcp        0      0 10.1.2.3:29500          10.1.2.4:51234          ESTABLISHED 77123/python",["10.1.2.3","10.1.2.4","77123"],["29500","ESTABLISHED"]),
("8.3.RC1 7.7.0.1.238 25.5.0 torch==2.7.1+cpu shape=[4, 4096, 128] op=aclnnMatmul EI0020 at 127.0.0.1:29500 0.0.0.0",[],["8.3.RC1","7.7.0.1.238","25.5.0","2.7.1+cpu","[4, 4096, 128]","aclnnMatmul","EI0020","127.0.0.1:29500","0.0.0.0"]),
("RuntimeError: The size of tensor a (4096) must match the size of tensor b (2048) at non-singleton dimension 1",[],["4096","2048","non-singleton"]),
("step 123456 loss 2.3456 lr 1.0e-05 tokens/s 98765 mem 61234 MiB",[],["123456","98765","61234"]),
("/usr/local/Ascend/ascend-toolkit/latest/bin/atc /opt/conda/lib/python3.11/site-packages/torch_npu/utils.py:88",[],["/usr/local/Ascend/ascend-toolkit/latest","torch_npu/utils.py:88"]),
("Traceback: bin/python3, user defined function, host memory, root cause, test passed, admin mode",[],["bin/python3","user defined","host memory","root cause","test passed","admin mode"]),
("cluster: npu-prod-07, pool: a3-train, owner: lisi, project: llm-secret",["npu-prod-07","lisi"],["cluster","pool"]),
("NODE_NAME=node-a3-17 POD_NAME=train-0 POD_IP=10.244.0.9 HOSTNAME=train-0",["node-a3-17","10.244.0.9"],["POD_IP"]),
("ssh -i ~/.ssh/id_rsa lisi@10.1.2.3 'cat /etc/hosts'",["lisi","10.1.2.3"],["/etc/hosts"]),
("scp model.pt wangwu05@node-a3-18:/data/wangwu05/",["wangwu05","node-a3-18"],["model.pt"]),
("Author: Li Si <lisi@hx-corp.com>\nDate:   Wed Mar 11",["Li Si","lisi@"],["Date"]),
("Last login: Wed Mar 11 10:12:12 2026 from 10.3.4.5",["10.3.4.5"],["Last login"]),
("sudo: lisi : TTY=pts/3 ; PWD=/home/lisi ; USER=root ; COMMAND=/bin/systemctl restart slurmd",["lisi"],["systemctl"]),
("Permission denied: '/nfs/team_nlp/lisi/ckpt/global_step100/mp_rank_00.pt'",["team_nlp","lisi"],[]),
]

for text, secrets, keeps in CASES:
    out = run("redact", stdin=text.encode() + b"\n").out
    first = text.split("\n")[0][:60]
    check(not [s for s in secrets if s in out], f"hidden: {first}", out)
    check(not [k for k in keeps if k not in out], f"stays: {first}", out)
    again = run("redact", stdin=out.encode()).out
    check(again == out, f"a second time changes nothing: {first}", again)
done()
